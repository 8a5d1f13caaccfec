// SPDX-License-Identifier: GPL-3.0-or-later

internal import Synchronization
public import TouchtoneCore

extension AudioEngine: EchoOutput {
    /// The longest delay of an echo.
    private static let longestDelay = Duration.seconds(2)
    /// What the microphone's periods and the device's buffer add to it, in seconds.
    private static let latency = 0.03

    /// Begins to take the microphone, and plays what it hears after `delay` at half its level, where the keys sound.
    ///
    /// The microphone is the one of the device for tones, or ALSA's `default` where that has none. It is held until
    /// the echo is stopped, on a thread of its own.
    public func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo {
        let state = tones.state
        let rate = state.configuration.rate
        let (seconds, attoseconds) = min(max(delay, .zero), Self.longestDelay).components
        let wanted = Double(seconds) + Double(attoseconds) * 1e-18
        let frames = Int(max(0, wanted - Self.latency) * Double(rate))
        let echo = EchoLoop(
            number: nextSoundNumber(), rate: rate,
            capacity: EchoSource.capacity(delay: frames, rate: rate), failed: failed
        ) { [weak self] number in self?.stop(PlayedSound(number: number)) }
        let device = toneDevice
        inOrder { [tones] in
            let source = EchoSource(echo.line, delay: frames, rate: rate)
            guard tones.play(source, of: echo) else { return failed() }
            echo.start(
                device == PlaybackLoop.defaultDevice ? [device] : [device, PlaybackLoop.defaultDevice])
        }
        return echo
    }
}

extension Outlet {
    /// Begins to play an echo, whose line is kept for as long as the audio thread may read it.
    fileprivate func play(_ source: EchoSource, of echo: EchoLoop) -> Bool {
        let voice = SoundVoice(source, rate: state.configuration.rate)
        let isPlaying = writing.withLock { _ in
            state.echoes.withLock { echoes in
                echoes.removeAll { !state.sounds.holds($0.number) }
                echoes.append(echo)
            }
            return state.sounds.play(voice, number: echo.number, isRinging: false, isEndless: true)
        }
        state.wake.signal()
        return isPlaying
    }
}
