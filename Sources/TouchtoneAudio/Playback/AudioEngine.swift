// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Synchronization
public import TouchtoneCore

/// The sound of the phone through ALSA: key tones and all other sounds, each device on a real-time thread of its own.
///
///     let engine = AudioEngine { notice in … }
///     engine.setReady(true)            // the keypad shows: the device is opened and armed
///     engine.start(.five)              // sounds within a few milliseconds, for as long as the key is held
///     engine.stop()
///     let ring = engine.play(.bell, on: .ringer)
///     engine.stop(ring)
///
/// Every call returns at once, from whichever thread it comes; calls from several threads take effect in turn. Presses
/// and releases are queued and sound in their order, each for at least 50 ms with at least 50 ms of silence after it.
/// At most 2,048 presses wait; further ones are not heard. At most four other sounds play on a device at once. Without
/// a device the engine works on in silence; one that was chosen and cannot be had is stood in for by ALSA's `default`.
///
/// At rest the engine holds no device and wakes for nothing. Its threads end by themselves when it is released.
public final class AudioEngine: ToneOutput, SoundOutput, Sendable {
    /// How an engine plays.
    public struct Configuration: Sendable {
        /// The sample rate in hertz, 8000 to 192,000; a device that lacks it is used through ALSA's resampler.
        public var rate = 48_000
        /// How long the device is kept after its last use while a press can be expected, in seconds.
        public var idleTime = 30.0
        /// Whether the audio thread may take real-time priority by itself; RealtimeKit is asked where it cannot.
        var takesPriority = true

        /// 48 kHz, kept for 30 s.
        public init() {}
    }

    /// The devices as they were chosen, and the outlet for ringing once it was needed.
    private struct Ringer {
        var toneDevice: String
        var ringDevice: String
        /// The device that plays tones in place of their own for a while; nil is none.
        var speaker: String?
        var outlet: Outlet?

        /// Where tones come out now.
        var tonesGoTo: String { speaker ?? toneDevice }
    }

    let tones: Outlet
    private let ringer: Mutex<Ringer>
    private let loader: ToneSetLoader
    private let soundsBegun = Atomic<UInt64>(0)
    /// Where sounds are made ready: a bell computes for some milliseconds how loud it will be.
    private let sounds = SerialWork { DetachedThread.run("touchtone-sound", $0) }

    /// Starts the engine; it opens no device before `setReady(true)`, the first press or the first sound.
    ///
    /// - Parameters:
    ///   - device: the ALSA device's name, for tones and for ringing.
    ///   - debug: told what helps to find out why a sound is late or missing: a line for the debug log.
    ///   - notice: told what the user should know, each once.
    ///
    ///     Both are called on the engine's own threads, and must not block there.
    public init(
        _ configuration: Configuration = .init(), device: String = "default",
        debug: @escaping @Sendable (String) -> Void = { _ in },
        notice: @escaping @Sendable (ToneNotice) -> Void
    ) {
        caudio_silence_alsa()
        var configuration = configuration
        let rates = KeyToneScore.rates
        configuration.rate = min(max(configuration.rate, rates.lowerBound), rates.upperBound)
        let reports = AudioReports(notice: notice, debug: debug)
        let state = EngineState(.tones, device: device, configuration: configuration, reports: reports)
        tones = Outlet(state)
        ringer = Mutex(Ringer(toneDevice: device, ringDevice: device))
        loader = ToneSetLoader(rate: configuration.rate, slot: state.toneSet, notify: reports.notice)
    }

    /// What the thread for tones shares.
    var state: EngineState { tones.state }

    /// How often the device for tones ran out of samples.
    public var underruns: Int { state.underruns.load(ordering: .relaxed) }
}

// MARK: - Keys

extension AudioEngine {
    /// Starts the key's tone, in place of the one that sounds, and holds it until `stop()`.
    public func start(_ key: DTMFKey) { tones.push(.start(key.rawValue)) }

    /// Ends the tone, no earlier than its minimum duration of 50 ms.
    public func stop() { tones.push(.stop) }

    /// Says whether a press can be expected soon.
    ///
    /// Each call with true keeps the device for another `Configuration.idleTime`, and opens it if it was given back.
    public func setReady(_ ready: Bool) { tones.setReady(ready) }

    /// Sets the level of all that the device for tones sounds, in dBFS, clamped to `Level.range`.
    ///
    /// It is the level of the keys; other sounds keep their distance to these. What sounds glides to it in 10 ms.
    public func setLevel(_ decibels: Double) {
        let amplitude = Level(decibels: decibels).amplitude
        state.amplitude.store(amplitude.bitPattern, ordering: .relaxed)
    }

    /// Chooses a recorded tone set, a folder with the files of `DTMFKey.fileName`; nil is the synthesizer.
    ///
    /// It sounds from the first press on after it has been read.
    public func setToneSet(_ folder: String?) { loader.load(folder) }

    /// Has the keys dial by pulses, as a dial does, from the next press on.
    public func setPulseDialling(_ isOn: Bool) { state.isPulsed.store(isOn, ordering: .relaxed) }
}

// MARK: - Other sounds

extension AudioEngine {
    /// Begins the sound, which goes on to its end or until it is stopped.
    ///
    /// It is made ready on another thread, so it comes a moment later than a key's tone would.
    @discardableResult
    public func play(_ sound: PhoneSound, on outlet: SoundOutlet) -> PlayedSound {
        let number = nextSoundNumber()
        sounds.add { [self] in
            self.outlet(for: outlet).play(sound, number: number, isRinging: outlet == .ringer)
        }
        return PlayedSound(number: number)
    }

    /// What the next sound is known by.
    func nextSoundNumber() -> UInt64 { soundsBegun.add(1, ordering: .relaxed).newValue }

    /// Does something in its turn among the sounds that are begun and stopped.
    func inOrder(_ body: @escaping @Sendable () -> Void) { sounds.add(body) }

    /// Fades the sound out, which takes 4 ms; nothing happens if it is over.
    public func stop(_ sound: PlayedSound) {
        // Behind the sound in the queue; where it went may have changed since.
        sounds.add { [self] in
            tones.stop(sound.number)
            ringer.withLock { $0.outlet }?.stop(sound.number)
        }
    }

    /// Sets the level of ringing in dBFS, clamped to `Level.range`; what rings glides to it in 10 ms.
    public func setRingLevel(_ decibels: Double) {
        let amplitude = Level(decibels: decibels).amplitude.bitPattern
        state.ringAmplitude.store(amplitude, ordering: .relaxed)
        ringer.withLock { $0.outlet }?.state.ringAmplitude.store(amplitude, ordering: .relaxed)
    }

    /// Chooses the ALSA device of an outlet by its name; what sounds on it goes on there.
    public func setDevice(_ name: String, for outlet: SoundOutlet) {
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

    /// Plays tones and calls on the ALSA device of that name, or on their own (nil); what sounds goes on there.
    ///
    /// Where it is the device for ringing, what rings shares it with them.
    public func setSpeaker(_ device: String?) {
        ringer.withLock { ringer in
            ringer.speaker = device
            tones.setDevice(ringer.tonesGoTo)
        }
    }

    /// The device that was chosen for tones, whatever they come out of now: its microphone is the one that is spoken into.
    var toneDevice: String { ringer.withLock { $0.toneDevice } }

    /// The outlet that plays it: one device cannot always be opened twice, so ringing shares that of the tones.
    private func outlet(for wanted: SoundOutlet) -> Outlet {
        guard wanted == .ringer else { return tones }
        return ringer.withLock { ringer in
            guard ringer.ringDevice != ringer.tonesGoTo else { return tones }
            if let outlet = ringer.outlet { return outlet }
            let own = EngineState(
                .ringer, device: ringer.ringDevice, configuration: state.configuration, reports: state.reports
            )
            own.ringAmplitude.store(state.ringAmplitude.load(ordering: .relaxed), ordering: .relaxed)
            let outlet = Outlet(own)
            ringer.outlet = outlet
            return outlet
        }
    }
}
