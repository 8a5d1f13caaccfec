// SPDX-License-Identifier: GPL-3.0-or-later

import HelperMessages
import RecordedSound
import SIPMessages
import Synchronization

/// An answering machine in a call: the far end hears it in place of the microphone, and is recorded.
final class AnsweringMachine: SoundListener {
    private struct State {
        var sound: MachineSound
        var isAloud: Bool
        /// The rate of the call's sound; 0 before there is any.
        var rate = 0
        /// The greeting at the rate of the call, and that rate; nil before it is needed.
        var prepared: (greeting: Search<[Int16]>, rate: Int)?
        /// The rate of the greeting that is played.
        var greetingRate = 0
        /// The time at which the far end last got sound.
        var lastSound = Instant.now
        /// The packets of the far end so far, and the time at which their number last changed.
        var packets = (count: UInt64(0), since: Instant.now)
    }

    private let state: Mutex<State>
    private let recorder: Recorder
    private let greeting: Search<SoundFile.Sound?>
    /// The longest time for which the sound of a call may rest, such as while the far end holds it, in milliseconds.
    private static let longestRest = 10_000
    /// The time without a packet after which the far end is silent, in milliseconds: what mediastreamer puts in the place of lost
    /// packets then is no speech, and comes again every eight seconds (its counter has 16 bits).
    private static let longestGap = 500

    /// - Parameters:
    ///   - greeting: A sound file of the user's, which may be anything; nil for none.
    ///   - recording: An empty file.
    init?(greeting: PassedDescriptor?, recording: PassedDescriptor, limit: Int, isAloud: Bool) {
        guard let recorder = Recorder(descriptor: recording.number, isStereo: false) else { return nil }
        self.recorder = recorder
        self.greeting = Search(otherwise: nil) {
            greeting.flatMap { try? SoundFile.read(descriptor: $0.number, limits: .greeting) }
        }
        let limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
        state = Mutex(State(sound: MachineSound(limit: limit), isAloud: isAloud))
    }

    /// The lengths of a message, in seconds.
    private static let limits = 5...600

    deinit { recorder.finish() }

    var isAloud: Bool { state.withLock { $0.isAloud } }

    func setAloud(_ isAloud: Bool) { state.withLock { $0.isAloud = isAloud } }

    func press(_ key: Character) { state.withLock { $0.sound.press(key) } }

    // MARK: Threads of the media

    func send(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        let isRecording = state.withLock { state in
            (state.rate, state.lastSound) = (rate, .now)
            state.sound.play(into: samples, rate: rate)
            return state.sound.step == .recording
        }
        // It also tells the recorder the time.
        if isRecording { recorder.add(UnsafeBufferPointer(samples), of: .near, rate: rate) }
    }

    func receive(_ samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        let (isRecorded, isAloud) = state.withLock { state in
            if state.packets.since.milliseconds(until: .now) >= Self.longestGap {
                samples.update(repeating: 0)
            }
            return (state.sound.hear(UnsafeBufferPointer(samples), rate: rate), state.isAloud)
        }
        if isRecorded { recorder.add(UnsafeBufferPointer(samples), of: .far, rate: rate) }
        if !isAloud { samples.update(repeating: 0) }
    }

    // MARK: Thread of the engine

    /// Begins with the greeting, once the far end can hear it.
    func begin() {
        state.withLock { state in
            if state.sound.step == .waiting { state.lastSound = .now }
            state.sound.begin()
        }
    }

    /// Goes on with what takes time; returns the step that the machine has reached.
    ///
    /// - Parameter packets: The number of packets that have come from the far end; nil if that is not known now.
    func work(packets: UInt64?) -> MachineSound.Step {
        prepareGreeting()
        return state.withLock { state in
            if let packets, packets != state.packets.count { state.packets = (packets, .now) }
            if state.sound.step != .waiting,
                state.lastSound.milliseconds(until: .now) >= Self.longestRest
            {
                state.sound.giveUp()
            }
            return state.sound.step
        }
    }

    /// Why the machine has ended the call; nil before.
    var end: SIPRecorded.End? {
        if recorder.hasFailed { return .failed }
        return switch state.withLock({ $0.sound.end }) {
        case .key: .key
        case .silence: .silence
        case .limit: .limit
        case nil: nil
        }
    }

    /// Ends the recording; returns who knows what becomes of it.
    func finish() -> Recorder {
        recorder.finish()
        return recorder
    }

    /// Sets the greeting at the rate of the call, which a change of the format may change.
    private func prepareGreeting() {
        state.withLock { state in
            let rate = state.rate
            guard rate > 0, rate != state.greetingRate, let sound = greeting.result else { return }
            if state.prepared?.rate != rate {
                state.prepared = (Search(otherwise: []) { Self.samples(of: sound, rate: rate) }, rate)
            }
            guard let samples = state.prepared?.greeting.result else { return }
            state.sound.setGreeting(samples, rate: rate)
            (state.prepared, state.greetingRate) = (nil, rate)
        }
    }

    private static func samples(of sound: SoundFile.Sound?, rate: Int) -> [Int16] {
        guard let sound else { return [] }
        var resampler = StreamResampler(from: sound.rate, to: rate)
        return [Int16](values: resampler.resample(sound.frames) + resampler.finish())
    }
}
