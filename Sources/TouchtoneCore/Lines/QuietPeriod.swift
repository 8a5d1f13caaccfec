// SPDX-License-Identifier: GPL-3.0-or-later

/// A time of each week in which the phone is quiet, in the time of the user's clock: `Mo-Fr 22:00-07:00`.
///
/// It ends on the next day if its end is not after its beginning.
public struct QuietPeriod: Hashable, Sendable {
    /// The days on which it begins, in order: 0 is Monday, 6 is Sunday.
    public let days: [Int]
    /// The minute of the day at which it begins, 0 to 1439.
    public let start: Int
    /// The minute of the day at which it ends, 0 to 1440.
    public let end: Int

    /// The greatest length of an entry of the setting, in bytes of UTF-8.
    public static let maximumLength = 100

    static let minutesOfDay = 1440
    private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// Returns nil without a day, or with a time that no clock shows.
    public init?(days: some Sequence<Int>, start: Int, end: Int) {
        let days = Set(days)
        guard !days.isEmpty, days.allSatisfy((0..<7).contains), (0..<Self.minutesOfDay).contains(start),
            (0...Self.minutesOfDay).contains(end)
        else { return nil }
        (self.days, self.start, self.end) = (days.sorted(), start, end)
    }

    /// Reads an entry of the setting; nil if it is not a period.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        var days: Set<Int> = []
        for part in words[0].split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.day)
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                return nil
            }
            // From Saturday to Monday are three days.
            days.formUnion((0...(last - first + 7) % 7).map { (first + $0) % 7 })
        }
        let times = words[1].split(separator: "-", omittingEmptySubsequences: false).map {
            Self.minute(String($0))
        }
        guard times.count == 2, let start = times[0], let end = times[1] else { return nil }
        self.init(days: days, start: start, end: end)
    }

    /// Reads a time of day with hours and minutes, `7:00` or `22:00`; nil if no clock shows it.
    public static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60
        else { return nil }
        let time = hour * 60 + minute
        return time <= minutesOfDay ? time : nil
    }

    private static func day(_ text: Substring) -> Int? {
        names.firstIndex { $0.lowercased() == text.lowercased() }
    }

    // MARK: - Text

    /// The form that the setting stores.
    public var text: String {
        runs.map { run in
            run.count > 2
                ? "\(Self.names[run.lowerBound])-\(Self.names[run.upperBound])"
                : run.map { Self.names[$0] }.joined(separator: ",")
        }.joined(separator: ",") + " " + Self.text(start) + "-" + Self.text(end)
    }

    /// The days as runs of days that follow each other in the week.
    public var runs: [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for day in days {
            if let last = runs.last, last.upperBound == day - 1 {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs
    }

    /// Returns a time of day in 24 hours: `07:00`.
    public static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    // MARK: - Time

    /// Whether the period includes a moment of the user's clock.
    func includes(_ time: WallTime) -> Bool {
        if start < end { return days.contains(time.weekday) && (start..<end).contains(time.minute) }
        return days.contains(time.weekday) && time.minute >= start
            || days.contains((time.weekday + 6) % 7) && time.minute < end
    }
}

/// A moment as the user's clock shows it: the day of the week, and the minute of the day.
struct WallTime: Hashable, Sendable {
    /// The day of the week: 0 is Monday.
    let weekday: Int
    let minute: Int

    /// - Parameter seconds: The time since the beginning of 1970 on the user's clock.
    init(seconds: Int64) {
        let (day, rest) = Self.divide(seconds, 86_400)
        // 1970 began on a Thursday.
        weekday = Int(Self.divide(day + 3, 7).rest)
        minute = Int(rest / 60)
    }

    /// Returns the quotient that is rounded down, and the rest, which is never negative.
    static func divide(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
