// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension AudioEngine: EchoOutput {
    private static let maximumDelay = Duration.seconds(2)
    /// The delay that the microphone's periods and the device's buffer add, in seconds.
    private static let latency = 0.03

    /// Plays the microphone of the device for tones, or of `default`, there after `delay` at half its level.
    public func beginEcho(after delay: Duration, failed: @escaping @Sendable () -> Void) -> any Echo {
        let state = tones.state
        let rate = state.configuration.rate
        let (seconds, attoseconds) = min(max(delay, .zero), Self.maximumDelay).components
        let wanted = Double(seconds) + Double(attoseconds) * 1e-18
        let frames = Int(max(0, wanted - Self.latency) * Double(rate))
        let echo = EchoCapture(
            number: nextSoundNumber(), rate: rate,
            capacity: EchoSource.capacity(delay: frames, rate: rate),
            delay: Int(wanted * Double(rate)), gain: microphoneGain
        ) { [weak self] number in self?.stop(PlayedSound(number: number)) }
        let devices = microphones
        inOrder { [tones] in
            let source = EchoSource(echo.line, delay: frames, rate: rate)
            let voice = SoundVoice(source, rate: rate)
            guard tones.play(voice, number: echo.number, isEndless: true, reading: echo) else {
                return failed()
            }
            echo.start(devices, failed: failed)
        }
        return echo
    }
}
