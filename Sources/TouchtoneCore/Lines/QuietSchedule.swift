// SPDX-License-Identifier: GPL-3.0-or-later

/// The periods of each week in which the phone is quiet, on the user's clock.
///
/// A clock that is set forward for the summer skips times: a period that begins among them begins when they are over. In the
/// autumn, times come twice and are quiet twice.
struct QuietSchedule {
    let periods: [QuietPeriod]

    /// The time in which a change is looked for: every period begins and ends within it.
    private static let horizon: Int64 = 8 * 86_400

    /// - Parameter offset: Returns how far the user's clock is ahead of UTC at a time since 1970, both in seconds.
    func isQuiet(at seconds: Int64, offset: (Int64) -> Int) -> Bool {
        isQuiet(WallTime(seconds: seconds + Int64(offset(seconds))))
    }

    private func isQuiet(_ time: WallTime) -> Bool { periods.contains { $0.includes(time) } }

    /// Returns the next time at which the phone becomes quiet, or no longer is; nil if there is none within eight days.
    func nextChange(after seconds: Int64, offset: (Int64) -> Int) -> Int64? {
        guard !periods.isEmpty else { return nil }
        let now = isQuiet(at: seconds, offset: offset)
        let minutes = Set(periods.flatMap { [$0.start, $0.end] }).sorted()
        for span in Self.spans(from: seconds, offset: offset) {
            if span.start > seconds, isQuiet(WallTime(seconds: span.start + span.offset)) != now {
                return span.start
            }
            var day = WallTime.divide(span.start + span.offset, 86_400).quotient
            while day * 86_400 - span.offset < span.end {
                for minute in minutes {
                    let wall = day * 86_400 + Int64(minute) * 60
                    let time = wall - span.offset
                    guard time > max(seconds, span.start), time < span.end else { continue }
                    if isQuiet(WallTime(seconds: wall)) != now { return time }
                }
                day += 1
            }
        }
        return nil
    }

    /// A time in which the user's clock keeps its distance from UTC.
    private struct Span {
        let start: Int64
        var end: Int64
        let offset: Int64
    }

    /// Returns the spans of the time that is looked at.
    ///
    /// Each question takes a look at the database of time zones, so that only days in which the clock changes are searched.
    private static func spans(from start: Int64, offset: (Int64) -> Int) -> [Span] {
        var spans = [Span(start: start, end: start, offset: Int64(offset(start)))]
        for day in 1...horizon / 86_400 {
            let last = spans[spans.count - 1]
            let end = start + day * 86_400
            let after = Int64(offset(end))
            if after == last.offset {
                spans[spans.count - 1].end = end
                continue
            }
            var (before, change) = (end - 86_400, end)
            while change - before > 1 {
                let middle = (before + change) / 2
                if Int64(offset(middle)) == last.offset { before = middle } else { change = middle }
            }
            spans[spans.count - 1].end = change
            spans.append(Span(start: change, end: end, offset: after))
        }
        return spans
    }
}
