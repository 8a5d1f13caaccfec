// SPDX-License-Identifier: GPL-3.0-or-later

/// The answering machine as the far end of a call hears it, and what it makes of what it hears.
///
/// It has no clock: its time is that of the samples that the far end gets.
public struct MachineSound: Sendable {
    public enum Step: Hashable, Sendable {
        /// The call has no sound yet.
        case waiting
        case greeting
        /// The tone after which the far end may speak.
        case tone
        case recording
        /// The tones at the limit.
        case farewell
        case over
    }

    /// Why the machine has ended the recording.
    public enum End: Hashable, Sendable { case key, silence, limit }

    public private(set) var step = Step.waiting
    /// Why the recording has ended; nil before.
    public private(set) var end: End?
    /// The greatest length of the recording, in seconds.
    private let limit: Double
    /// The greeting at the rate of the call; nil while it is not known.
    private var greeting: (samples: [Int16], rate: Int)?
    /// The time since the step began, in seconds.
    private var time = 0.0
    private var lastSound = 0.0
    private var level = SoundLevel()

    /// The silence that ends a recording, in seconds.
    private static let longestSilence = 10.0
    /// The silence before the greeting, in which the way of the sound opens, and after it.
    private static let (lead, pause) = (0.5, 0.25)
    private static let tone = Tone(frequency: 1_000, length: 0.5)
    private static let farewell = Tone(frequency: 1_000, length: 0.15)
    private static let farewellPause = 0.15

    /// - Parameter limit: The greatest length of the recording, in seconds.
    public init(limit: Int) { self.limit = Double(limit) }

    /// Begins, once the call has sound.
    public mutating func begin() {
        if step == .waiting { enter(.greeting) }
    }

    /// The greeting, or no sound; until it is set, the far end hears silence.
    ///
    /// - Parameter rate: The rate of the samples, which has to be that of the call.
    public mutating func setGreeting(_ samples: [Int16], rate: Int) { greeting = (samples, rate) }

    /// Writes what the far end hears next.
    public mutating func play(into samples: UnsafeMutableBufferPointer<Int16>, rate: Int) {
        guard rate > 0 else { return }
        for index in samples.indices { samples[index] = next(rate) }
    }

    /// Takes what the far end says; returns whether it belongs to the recording.
    public mutating func hear(_ samples: UnsafeBufferPointer<Int16>, rate: Int) -> Bool {
        guard step == .recording, rate > 0 else { return false }
        if level.hears(samples, rate: rate) { lastSound = time }
        return true
    }

    /// Takes a key of the far end: `#` ends the recording, and the greeting before.
    public mutating func press(_ key: Character) {
        guard key == "#" else { return }
        switch step {
        case .greeting: enter(.tone)
        case .recording: finish(.key)
        default: break
        }
    }

    /// Ends the recording because nothing comes or goes any more, such as for a call that the far end holds.
    public mutating func giveUp() {
        if step != .over, end == nil { finish(.silence) }
    }

    private mutating func enter(_ step: Step) { (self.step, time, lastSound) = (step, 0, 0) }

    private mutating func finish(_ end: End) {
        self.end = end
        enter(end == .limit ? .farewell : .over)
    }

    private mutating func next(_ rate: Int) -> Int16 {
        let now = time
        time += 1 / Double(rate)
        switch step {
        case .waiting, .over: return 0
        case .greeting:
            guard let greeting else {
                time = 0
                return 0
            }
            guard now >= Self.lead else { return 0 }
            let index = Int((now - Self.lead) * Double(greeting.rate))
            if index < greeting.samples.count { return greeting.samples[index] }
            if now - Self.lead - Self.pause >= Double(greeting.samples.count) / Double(greeting.rate) {
                enter(.tone)
            }
            return 0
        case .tone:
            if now >= Self.tone.length { enter(.recording) }
            return Self.tone.sample(at: now)
        case .recording:
            if now >= limit {
                finish(.limit)
            } else if now - lastSound >= Self.longestSilence {
                finish(.silence)
            }
            return 0
        case .farewell:
            let second = Self.farewell.length + Self.farewellPause
            // The last pause lets the second tone arrive before the call ends.
            if now >= 2 * second { enter(.over) }
            return Self.farewell.sample(at: now) + Self.farewell.sample(at: now - second)
        }
    }
}
