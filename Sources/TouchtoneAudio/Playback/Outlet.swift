// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// A device with the audio thread that plays on it.
///
/// Its thread ends by itself when the outlet is released. For every thread; each call returns at once.
final class Outlet: Sendable {
    /// What is shared with the audio thread.
    let state: EngineState
    /// Held while a command or a sound is written; the audio thread never takes it.
    let writing = Mutex(())

    /// Starts the thread; it opens no device before one is needed.
    init(_ state: EngineState) {
        self.state = state
        if !DetachedThread.run("touchtone-audio", { PlaybackLoop.run(state) }) {
            state.reports.notice(.deviceLost(state.outlet))
        }
    }

    deinit {
        state.isOver.store(true, ordering: .releasing)
        state.wake.signal()
    }

    /// Hands a key command over.
    func push(_ command: KeyCommand) {
        _ = writing.withLock { _ in state.commands.push(command) }
        state.wake.signal()
    }

    /// Begins a sound that `stop(_:)` knows by `number`; too many at once are not heard.
    func play(_ sound: PhoneSound, number: UInt64, isRinging: Bool) {
        let voice = SoundVoice(sound, rate: state.configuration.rate)
        _ = writing.withLock { _ in
            state.sounds.play(voice, number: number, isRinging: isRinging, isEndless: sound.isEndless)
        }
        state.wake.signal()
    }

    /// Fades the sound; nothing happens if it is over, or another outlet's.
    func stop(_ number: UInt64) {
        writing.withLock { _ in state.sounds.stop(number) }
        state.wake.signal()
    }

    /// Says whether a press can be expected soon.
    func setReady(_ ready: Bool) {
        state.isReady.store(ready, ordering: .releasing)
        if ready { state.readyCalls.add(1, ordering: .releasing) }
        state.wake.signal()
    }

    /// Plays on another device from now on, what sounds included.
    func setDevice(_ name: String) {
        let isAnother = state.device.withLock { device in
            defer { device = name }
            return device != name
        }
        guard isAnother else { return }
        state.deviceChoices.add(1, ordering: .releasing)
        state.wake.signal()
    }
}
