// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Synchronization
import TouchtoneCore

/// A playback device and its audio thread, which it ends; all methods are thread-safe and return at once.
final class PlaybackDevice: Sendable {
    let state: EngineState
    /// The lock for writing commands and sounds; the audio thread never takes it.
    let writing = Mutex(())

    /// Starts the thread, which opens the device when it is needed.
    init(_ state: EngineState) {
        self.state = state
        if !BackgroundThread.start("touchtone-audio", { PlaybackLoop.run(state) }) {
            state.reports.notice(.deviceLost(state.outlet))
        }
    }

    deinit {
        state.isOver.store(true, ordering: .releasing)
        state.wake.signal()
    }

    func push(_ command: KeyCommand) {
        _ = writing.withLock { _ in state.commands.push(command) }
        state.wake.signal()
    }

    /// Starts a sound with a number for `stop(_:)`; it is dropped if too many play.
    func play(_ sound: PhoneSound, number: UInt64, isRinging: Bool) {
        let voice = SoundVoice(sound, rate: state.configuration.rate)
        _ = play(voice, number: number, isRinging: isRinging, isEndless: sound.isEndless)
    }

    /// Starts a sound unless too many play; keeps the owner of its buffer while the audio thread may read it.
    func play(
        _ voice: SoundVoice, number: UInt64, isRinging: Bool = false, isEndless: Bool,
        reading owner: (any AnyObject & Sendable)? = nil
    ) -> Bool {
        let isPlaying = writing.withLock { _ in
            state.buffers.withLock { buffers in
                buffers.removeAll { !state.sounds.holds($0.number) }
                if let owner { buffers.append((number, owner)) }
            }
            return state.sounds.play(voice, number: number, isRinging: isRinging, isEndless: isEndless)
        }
        state.wake.signal()
        return isPlaying
    }

    func stop(_ number: UInt64) {
        writing.withLock { _ in state.sounds.stop(number) }
        state.wake.signal()
    }

    func setReady(_ ready: Bool) {
        state.isReady.store(ready, ordering: .releasing)
        if ready { state.readyCalls.add(1, ordering: .releasing) }
        state.wake.signal()
    }

    /// Moves playback, including current sounds, to another device.
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
