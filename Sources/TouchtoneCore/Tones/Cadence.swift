// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of the telephone network: tones and silences of set lengths, once, a number of times or for ever.
public struct Cadence: Hashable, Sendable {
    /// The most segments of a cadence.
    public static let maximumSegments = 16

    /// How often a cadence can be told to sound.
    public static let cycleRange = 1...1000

    /// A sine of a segment.
    public struct Tone: Hashable, Sendable {
        /// The frequencies that a tone can have, in hertz: what a line carries, and every sample rate holds.
        public static let frequencies = 20.0...3800.0
        /// The levels that a tone can have, in dBm0: four of the loudest at once just stay below full scale.
        public static let levels = -60.0 ... -9.0

        /// The frequency in hertz.
        public let frequency: Double
        /// The level in dBm0 (ITU-T G.100.1): the power at the point of zero relative level, beside a milliwatt.
        public let level: Double

        /// A tone; nil if one of the numbers is out of its range.
        public init?(frequency: Double, level: Double) {
            guard Self.frequencies.contains(frequency), Self.levels.contains(level) else { return nil }
            self.frequency = frequency
            self.level = level
        }
    }

    /// A part of a cadence in which the same tones sound, or none.
    public struct Segment: Hashable, Sendable {
        /// The most tones that sound at once.
        public static let maximumTones = 4
        /// The lengths that a segment can have, in milliseconds; the shortest has room for its rise and its fall.
        public static let durations = 10...600_000

        /// What sounds; nothing in a silence.
        public let tones: [Tone]
        /// How long, in milliseconds; nil for ever.
        public let milliseconds: Int?

        /// A segment; nil if it has too many tones, or a length out of `durations`.
        public init?(_ tones: [Tone], milliseconds: Int?) {
            guard tones.count <= Self.maximumTones else { return nil }
            if let milliseconds, !Self.durations.contains(milliseconds) { return nil }
            self.tones = tones
            self.milliseconds = milliseconds
        }
    }

    /// What sounds, in its order.
    public let segments: [Segment]
    /// How often it sounds, of `cycleRange`; nil for ever.
    public let cycles: Int?

    /// A cadence; nil if it has no segment or too many, or one without an end before the last.
    public init?(_ segments: [Segment], cycles: Int? = nil) {
        guard (1...Self.maximumSegments).contains(segments.count) else { return nil }
        guard segments.dropLast().allSatisfy({ $0.milliseconds != nil }) else { return nil }
        if let cycles, !Self.cycleRange.contains(cycles) { return nil }
        self.segments = segments
        self.cycles = cycles
    }

    private init() {
        segments = []
        cycles = 1
    }

    /// What nothing sounds in.
    public static let silence = Cadence()
}

extension Cadence {
    /// A key's tone of 100 ms, the high one 2 dB above the low one, as a telephone set has it.
    static func key(_ key: DTMFKey) -> Cadence {
        let low = Tone(frequency: key.lowFrequency, level: -15)
        let high = Tone(frequency: key.highFrequency, level: -13)
        let segment = Segment([low, high].compactMap { $0 }, milliseconds: 100)
        return Cadence([segment].compactMap { $0 }, cycles: 1) ?? .silence
    }
}
