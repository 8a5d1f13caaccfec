// SPDX-License-Identifier: GPL-3.0-or-later

/// The sounds of the practice exchange's far ends: tones, and never a voice.
enum ExchangeSounds {
    /// Three rising notes, which mean that the far end answered.
    static let greeting = notes([(523.25, 160), (659.26, 160), (783.99, 320)], gap: 40)
    static let greetingLength = Duration.milliseconds(760)

    /// Two short notes, which confirm that the user can hang up.
    static let confirmation = notes([(783.99, 120), (783.99, 120)], gap: 80)

    /// The beep of the time announcement, at every ten seconds.
    static let beep = notes([(1000, 200)], gap: 0)

    /// The message that a far end leaves on the answering machine: a short tune.
    static let message = notes(
        [(392, 320), (523.25, 320), (659.26, 320), (783.99, 640), (659.26, 320), (783.99, 960)], gap: 80)

    /// The tones that tell both sides of a recording, every 15 seconds.
    static let recording: Cadence = {
        let tone = Cadence.Tone(frequency: 1400, level: Cadence.Tone.levels.upperBound)
        let segments = [
            Cadence.Segment([tone].compactMap { $0 }, milliseconds: 200),
            Cadence.Segment([], milliseconds: 14_800),
        ]
        return Cadence(segments.compactMap { $0 }) ?? .silence
    }()

    /// Returns the hour's and the minute's digits as key tones, with a pause between the two.
    static func time(_ time: TimeOfDay) -> Cadence {
        let digits = [time.hour / 10, time.hour % 10, time.minute / 10, time.minute % 10]
        var segments: [Cadence.Segment?] = []
        for (index, digit) in digits.enumerated() {
            guard let key = DTMFKey(rawValue: UInt8(clamping: digit)) else { continue }
            segments += Cadence.key(key, milliseconds: 120).segments.map { $0 }
            segments.append(Cadence.Segment([], milliseconds: index == 1 ? 480 : 120))
        }
        return Cadence(segments.compactMap { $0 }, cycles: 1) ?? .silence
    }

    private static func notes(_ notes: [(frequency: Double, milliseconds: Int)], gap: Int) -> Cadence {
        var segments: [Cadence.Segment?] = []
        for note in notes {
            let tone = Cadence.Tone(frequency: note.frequency, level: -15)
            segments.append(Cadence.Segment([tone].compactMap { $0 }, milliseconds: note.milliseconds))
            if gap > 0 { segments.append(Cadence.Segment([], milliseconds: gap)) }
        }
        return Cadence(segments.compactMap { $0 }, cycles: 1) ?? .silence
    }
}

public struct TimeOfDay: Hashable, Sendable {
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int
    /// The time since the minute began.
    public let second: Duration

    /// Creates a time; a value out of range becomes the nearest valid one.
    public init(hour: Int, minute: Int, second: Duration) {
        self.hour = min(max(hour, 0), 23)
        self.minute = min(max(minute, 0), 59)
        self.second = min(max(second, .zero), .seconds(60))
    }

    /// The time until the next multiple of ten seconds: more than zero, and at most 10 s.
    var untilTenSeconds: Duration {
        let ten = Duration.seconds(10)
        var left = ten
        while left <= second { left += ten }
        return left - second
    }
}
