// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Synchronization
public import TouchtoneCore

/// The sound of the phone: key tones through an ALSA device, on a real-time thread of its own.
///
///     let engine = AudioEngine { notice in … }
///     engine.setReady(true)   // the keypad shows: the device is opened and armed
///     engine.start(.five)     // sounds within a few milliseconds, for as long as the key is held
///     engine.stop()
///
/// Every call returns at once, from whichever thread it comes; calls from several threads take effect in turn. Presses
/// and releases are queued and sound in their order, each for at least 50 ms with at least 50 ms of silence after it.
/// At most 2,048 presses wait; further ones are not heard. Without a device the engine works on in silence.
///
/// At rest the engine holds no device and wakes for nothing. Its thread ends by itself when the engine is released.
public final class AudioEngine: ToneOutput, Sendable {
    /// Where and how an engine plays.
    public struct Configuration: Sendable {
        /// The ALSA device's name.
        public var device = "default"
        /// The sample rate in hertz, 8000 to 192,000; a device that lacks it is used through ALSA's resampler.
        public var rate = 48_000
        /// How long the device is kept after its last use while a press can be expected, in seconds.
        public var idleTime = 30.0
        /// Whether the audio thread may take real-time priority by itself; RealtimeKit is asked where it cannot.
        var takesPriority = true

        /// ALSA's default device at 48 kHz, kept for 30 s.
        public init() {}
    }

    /// What the engine's threads share.
    let state: EngineState
    private let loader: ToneSetLoader
    /// Held while a command is written; the audio thread never takes it.
    private let writing = Mutex(())

    /// Starts the engine; it opens no device before `setReady(true)` or the first press.
    ///
    /// - Parameter notice: told what the user should know, each once, on one of the engine's own threads: it must not
    ///   block there.
    public init(_ configuration: Configuration = .init(), notice: @escaping @Sendable (ToneNotice) -> Void) {
        caudio_silence_alsa()
        var configuration = configuration
        let rates = KeyToneScore.rates
        configuration.rate = min(max(configuration.rate, rates.lowerBound), rates.upperBound)
        let state = EngineState(configuration: configuration, notify: notice)
        self.state = state
        loader = ToneSetLoader(rate: configuration.rate, slot: state.toneSet, notify: notice)
        if !DetachedThread.run("touchtone-audio", { PlaybackLoop.run(state) }) { notice(.deviceLost) }
    }

    deinit {
        state.isOver.store(true, ordering: .releasing)
        state.wake.signal()
    }

    /// Starts the key's tone, in place of the one that sounds, and holds it until `stop()`.
    public func start(_ key: DTMFKey) { push(.start(key.rawValue)) }

    /// Ends the tone, no earlier than its minimum duration of 50 ms.
    public func stop() { push(.stop) }

    /// Says whether a press can be expected soon.
    ///
    /// Each call with true keeps the device for another `Configuration.idleTime`, and opens it if it was given back.
    public func setReady(_ ready: Bool) {
        state.isReady.store(ready, ordering: .releasing)
        if ready { state.readyCalls.add(1, ordering: .releasing) }
        state.wake.signal()
    }

    /// Sets the level of the tones in dBFS, clamped to `Level.range`; a tone that sounds glides to it in 10 ms.
    public func setLevel(_ decibels: Double) {
        let amplitude = Level(decibels: decibels).amplitude
        state.amplitude.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// Chooses a recorded tone set; it sounds from the first press on after it has been read.
    public func setToneSet(_ folder: String?) { loader.load(folder) }

    /// How often the device ran out of samples, for the debug log.
    public var underruns: Int { state.underruns.load(ordering: .relaxed) }

    private func push(_ command: KeyCommand) {
        _ = writing.withLock { _ in state.commands.push(command) }
        state.wake.signal()
    }
}
