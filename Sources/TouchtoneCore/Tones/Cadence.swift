// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound of the telephone network: tones and silences of fixed length, repeated a number of times or for ever.
public struct Cadence: Hashable, Sendable {
    public static let maximumSegments = 16

    /// The possible numbers of repetitions.
    public static let cycleRange = 1...1000

    /// A sine wave in a segment.
    public struct Tone: Hashable, Sendable {
        /// The possible frequencies, in hertz: those that a telephone line carries and every sample rate can represent.
        public static let frequencies = 20.0...3800.0
        /// The possible levels, in dBm0: four of the loudest tones together just stay below full scale.
        public static let levels = -60.0 ... -9.0

        /// The frequency in hertz.
        public let frequency: Double
        /// The level in dBm0 (ITU-T G.100.1): the power relative to one milliwatt at the point of zero relative level.
        public let level: Double

        /// Creates a tone; nil if a value is out of range.
        public init?(frequency: Double, level: Double) {
            guard Self.frequencies.contains(frequency), Self.levels.contains(level) else { return nil }
            self.frequency = frequency
            self.level = level
        }
    }

    /// A part of a cadence with constant tones, or none.
    public struct Segment: Hashable, Sendable {
        /// The greatest number of simultaneous tones.
        public static let maximumTones = 4
        /// The possible lengths of a segment, in milliseconds; the shortest has room for its rise and fall.
        public static let durations = 10...600_000

        /// The tones; empty for silence.
        public let tones: [Tone]
        /// The length in milliseconds; nil is endless.
        public let milliseconds: Int?

        /// Creates a segment; nil if it has too many tones, or a length outside `durations`.
        public init?(_ tones: [Tone], milliseconds: Int?) {
            guard tones.count <= Self.maximumTones else { return nil }
            if let milliseconds, !Self.durations.contains(milliseconds) { return nil }
            self.tones = tones
            self.milliseconds = milliseconds
        }
    }

    public let segments: [Segment]
    /// The number of repetitions, within `cycleRange`; nil is endless.
    public let cycles: Int?

    /// Creates a cadence; nil if it has no segment or too many, or an endless one before the last.
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

    public static let silence = Cadence()
}

extension Cadence {
    /// Returns a key's tone; the high tone is 2 dB above the low one, as in a telephone set.
    static func key(_ key: DTMFKey, milliseconds: Int = 100) -> Cadence {
        let low = Tone(frequency: key.lowFrequency, level: -15)
        let high = Tone(frequency: key.highFrequency, level: -13)
        let segment = Segment([low, high].compactMap { $0 }, milliseconds: milliseconds)
        return Cadence([segment].compactMap { $0 }, cycles: 1) ?? .silence
    }
}
