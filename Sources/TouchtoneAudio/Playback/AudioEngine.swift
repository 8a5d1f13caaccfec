// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import GLibBridge
import Synchronization
public import TouchtoneCore

/// Plays the sounds of the phone through ALSA: key tones and all other sounds, with a real-time thread for each device.
///
///     let engine = AudioEngine { notice in … }
///     engine.setReady(true)            // the keypad is visible: open and arm the device
///     engine.start(.five)              // sounds within a few milliseconds, for as long as the key is held
///     engine.stop()
///     let ring = engine.play(.bell, on: .ringer)
///     engine.stop(ring)
///
/// All methods are thread-safe and return at once; calls from several threads are serialized. Presses and releases are
/// queued and sound in order, each for at least 50 ms with at least 50 ms of silence after it. At most 2,048 presses
/// wait; further ones are dropped. At most four other sounds play on a device at once. Without a device, the engine
/// continues in silence. If the chosen device is not available, ALSA's `default` replaces it.
///
/// At rest, the engine holds no device and never wakes up; it stays connected to a sound server while a press can be
/// expected. Its threads end when it is released.
public final class AudioEngine: ToneOutput, SoundOutput, Sendable {
    public struct Configuration: Sendable {
        /// The sample rate in hertz, 8000 to 192,000; ALSA resamples for a device without it.
        public var rate = 48_000
        /// The time in seconds that the device stays open after its last use while a press can be expected.
        public var idleTime = 30.0
        /// Whether the audio thread may raise its own priority; if it cannot, it asks RealtimeKit.
        var takesPriority = true

        public init() {}
    }

    /// The chosen devices, and the outlet for ringing after its first use.
    private struct Ringer {
        var toneDevice: String
        var ringDevice: String
        var microphone = PlaybackLoop.defaultDevice
        /// The device that temporarily plays tones instead of their own device, or nil.
        var speaker: String?
        var outlet: PlaybackDevice?

        var tonesGoTo: String { speaker ?? toneDevice }
    }

    let tones: PlaybackDevice
    private let ringer: Mutex<Ringer>
    let microphoneGain = MicrophoneGain()
    private let loader: ToneSetLoader
    private let soundsBegun = Atomic<UInt64>(0)
    /// The sounds that were stopped, until `sounds` has stopped them.
    private let stopped = Mutex<Set<UInt64>>([])
    /// Prepares sounds: a bell needs some milliseconds to compute its peak.
    private let sounds = BackgroundThread("touchtone-sound")

    /// Starts an engine that opens its device at `setReady(true)`, the first press or the first sound.
    ///
    /// The closures are called on the engine's threads, and must not block: `debug` with log lines that
    /// explain late or missing sounds, `notice` with each notice for the user once.
    public init(
        _ configuration: Configuration = .init(), device: String = "default",
        debug: @escaping @Sendable (String) -> Void = { _ in },
        notice: @escaping @Sendable (ToneNotice) -> Void
    ) {
        caudio_silence_alsa()
        var configuration = configuration
        let rates = KeyToneScore.rates
        configuration.rate = min(max(configuration.rate, rates.lowerBound), rates.upperBound)
        let reports = AudioCallbacks(notice: notice, debug: debug)
        let state = EngineState(.tones, device: device, configuration: configuration, reports: reports)
        tones = PlaybackDevice(state)
        ringer = Mutex(Ringer(toneDevice: device, ringDevice: device))
        loader = ToneSetLoader(rate: configuration.rate, slot: state.toneSet, notify: reports.notice)
    }

    var state: EngineState { tones.state }

    public var underruns: Int { state.underruns.load(ordering: .relaxed) }
}

// MARK: - Keys

extension AudioEngine {
    public func start(_ key: DTMFKey) { tones.push(.start(key.rawValue)) }

    public func stop() { tones.push(.stop) }

    /// Sets whether a press can be expected soon.
    ///
    /// Each call with true keeps the device open for another `Configuration.idleTime`, and opens it if it was closed.
    /// Then only a connection to a sound server remains, until a call with false.
    public func setReady(_ ready: Bool) { tones.setReady(ready) }

    /// Sets the level of keys in dBFS, clamped to `Level.range`; other sounds keep their relative levels, and
    /// current ones glide to it in 10 ms.
    public func setLevel(_ decibels: Double) {
        let amplitude = Level(decibels: decibels).amplitude
        state.amplitude.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// Sets the recorded tone set, a folder with files named by `DTMFKey.fileName`, or nil for the
    /// synthesizer, from the first press after it has been loaded.
    public func setToneSet(_ folder: String?) { loader.load(folder) }

    /// Turns pulse dialling on or off, from the next press.
    public func setPulseDialling(_ isOn: Bool) { state.isPulsed.store(isOn, ordering: .relaxed) }
}

// MARK: - Other sounds

extension AudioEngine {
    /// Starts a sound on another thread, slightly later than a key tone; it plays to its end or to `stop`.
    @discardableResult
    public func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound {
        let number = nextSoundNumber()
        sounds.add { [self] in
            guard !stopped.withLock({ $0.contains(number) }) else { return }
            self.outlet(for: outlet).play(sound, number: number, isRinging: outlet == .ringer)
        }
        return PlayedSound(number: number)
    }

    func nextSoundNumber() -> UInt64 { soundsBegun.add(1, ordering: .relaxed).newValue }

    /// Runs work in order with the starts and stops of sounds.
    func inOrder(_ body: @escaping @Sendable () -> Void) { sounds.add(body) }

    public func stop(_ sound: PlayedSound) {
        stopped.withLock { _ = $0.insert(sound.number) }
        // Queue the stop after the start of the sound. The sound may since have moved to another device.
        sounds.add { [self] in
            stopped.withLock { _ = $0.remove(sound.number) }
            tones.stop(sound.number)
            ringer.withLock { $0.outlet }?.stop(sound.number)
        }
    }

    /// Sets the level of ringing in dBFS, clamped to `Level.range`; current ringing glides to it in 10 ms.
    public func setRingLevel(_ decibels: Double) {
        let amplitude = Level(decibels: decibels).amplitude.bitPattern
        state.ringAmplitude.store(amplitude, ordering: .relaxed)
        ringer.withLock { $0.outlet }?.state.ringAmplitude.store(amplitude, ordering: .relaxed)
    }

    /// Sets the ALSA device of an outlet; its current sounds continue there.
    public func setDevice(_ name: String, for outlet: AudioRoute) {
        ringer.withLock { ringer in
            switch outlet {
            case .tones: ringer.toneDevice = name
            case .ringer:
                ringer.ringDevice = name
                ringer.outlet?.setDevice(name)
            }
            tones.setDevice(ringer.tonesGoTo)
        }
    }

    /// Plays tones and calls on an ALSA device, which ringing may share, or on their own if `nil`; current
    /// sounds continue there.
    public func setSpeaker(_ device: String?) {
        ringer.withLock { ringer in
            ringer.speaker = device
            tones.setDevice(ringer.tonesGoTo)
        }
    }

    /// Sets the ALSA device of the microphone, from the next recording; `default` takes that of the device for tones.
    public func setMicrophone(_ name: String) { ringer.withLock { $0.microphone = name } }

    /// Sets the gain of the microphone in decibels, from −20 to 20, at once.
    public func setMicrophoneGain(_ decibels: Double) { microphoneGain.set(decibels) }

    /// The ALSA devices of microphones: the chosen one, or that for tones, even if another plays them, then the default.
    var microphones: [String] {
        let chosen = ringer.withLock { ringer in
            guard ringer.microphone == PlaybackLoop.defaultDevice else { return ringer.microphone }
            // A sound server’s device plays or records; PipeWire would record what the device plays.
            return ServerDevice.isName(ringer.toneDevice) ? ringer.microphone : ringer.toneDevice
        }
        return chosen == PlaybackLoop.defaultDevice ? [chosen] : [chosen, PlaybackLoop.defaultDevice]
    }

    /// Not every device can be opened twice, so ringing may share that of the tones.
    private func outlet(for wanted: AudioRoute) -> PlaybackDevice {
        guard wanted == .ringer else { return tones }
        return ringer.withLock { ringer in
            guard ringer.ringDevice != ringer.tonesGoTo else { return tones }
            if let outlet = ringer.outlet { return outlet }
            let own = EngineState(
                .ringer, device: ringer.ringDevice, configuration: state.configuration, reports: state.reports
            )
            own.ringAmplitude.store(state.ringAmplitude.load(ordering: .relaxed), ordering: .relaxed)
            let outlet = PlaybackDevice(own)
            ringer.outlet = outlet
            return outlet
        }
    }
}
