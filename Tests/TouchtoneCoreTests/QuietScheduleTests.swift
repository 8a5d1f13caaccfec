// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the times at which the phone is quiet, on a clock that is set forward and back.
struct QuietScheduleTests {
    @Test(arguments: [
        ("Mo-Fr 22:00-07:00", [0, 1, 2, 3, 4], 1320, 420, "Mo-Fr 22:00-07:00"),
        ("sa,su 0:00-24:00", [5, 6], 0, 1440, "Sa,Su 00:00-24:00"),
        ("Fr-Mo 12:30-13:00", [0, 4, 5, 6], 750, 780, "Mo,Fr-Su 12:30-13:00"),
        ("We 9:00-9:00", [2], 540, 540, "We 09:00-09:00"),
        ("Mo,Mo,Tu 23:59-00:00", [0, 1], 1439, 0, "Mo,Tu 23:59-00:00"),
        ("  Th   1:00-2:00 ", [3], 60, 120, "Th 01:00-02:00"),
    ])
    func periodIsRead(text: String, days: [Int], start: Int, end: Int, written: String) throws {
        let period = try #require(QuietPeriod(text))
        #expect(period.days == days && period.start == start && period.end == end)
        #expect(period.text == written)
        #expect(QuietPeriod(written) == period)
    }

    @Test(arguments: [
        "", "Mo-Fr", "22:00-07:00", "Mo 22:00", "Mo 22:00-", "Mo 24:00-07:00", "Mo 22:60-07:00", "Mo 22-07",
        "Mo 22:00-07:00 Tu", "Mo- 22:00-07:00", ",Mo 22:00-07:00", "Mo-Tu-We 22:00-07:00", "Xx 22:00-07:00",
        "Mo 22:00-07:00-08:00", "Mo 22:0-07:00", "Mo +1:00-07:00", "Mo 22:00–07:00", "Mo 24:01-07:00",
        "Mo 1:00-24:01", "Mo ２２:00-07:00",
        "Mo" + String(repeating: ",Mo", count: 100) + " 22:00-07:00",
    ])
    func otherTextIsNoPeriod(_ text: String) {
        #expect(QuietPeriod(text) == nil)
    }

    // MARK: - Berlin

    /// Returns the offset of Berlin's clock in 2026, which goes forward on 29 March and back on 25 October, at 1:00 UTC.
    private static func berlin(_ seconds: Int64) -> Int {
        (1_774_746_000..<1_792_890_000).contains(seconds) ? 7200 : 3600
    }

    /// Midnight in UTC at the beginning of Monday, 23 March 2026.
    private static let monday: Int64 = 1_774_224_000

    private func schedule(_ texts: String...) -> QuietSchedule {
        QuietSchedule(periods: texts.compactMap { QuietPeriod($0) })
    }

    /// Returns the changes of a time, in hours since `monday`.
    private func changes(of schedule: QuietSchedule, from: Double, to: Double) -> [Double] {
        var (time, found) = (Self.monday + Int64(from * 3600), [Double]())
        while let next = schedule.nextChange(after: time, offset: Self.berlin) {
            let hours = Double(next - Self.monday) / 3600
            guard hours <= to else { break }
            found.append(hours)
            time = next
        }
        return found
    }

    @Test func periodGoesOverMidnight() {
        let schedule = schedule("Mo-Fr 22:00-07:00")
        // Berlin is one hour ahead: Monday 22:00 is 21 hours after midnight in UTC.
        #expect(changes(of: schedule, from: 0, to: 126) == [21, 30, 45, 54, 69, 78, 93, 102, 117, 126])
        for (hour, isQuiet) in [(20.99, false), (21, true), (29.99, true), (30, false), (5, false)] {
            let time = Self.monday + Int64(hour * 3600)
            #expect(schedule.isQuiet(at: time, offset: Self.berlin) == isQuiet, "\(hour)")
        }
    }

    @Test func daysThatTouchHaveNoChangeBetweenThem() {
        #expect(changes(of: schedule("Sa,Su 00:00-24:00"), from: 0, to: 170) == [119, 166])
        #expect(changes(of: schedule("Mo 10:00-12:00", "Mo 11:00-13:00"), from: 0, to: 20) == [9, 12])
        #expect(changes(of: schedule("Mo-Su 00:00-24:00"), from: 0, to: 500) == [])
        #expect(changes(of: schedule("Mo-Su 9:00-9:00"), from: 0, to: 500) == [])
        #expect(changes(of: schedule(), from: 0, to: 500) == [])
    }

    /// On Sunday, 29 March, the clock goes from 2:00 to 3:00, 145 hours after `monday`.
    @Test func clockGoesForward() {
        #expect(changes(of: schedule("Sa 22:00-07:00"), from: 100, to: 170) == [141, 149])
        #expect(changes(of: schedule("Su 02:30-04:00"), from: 100, to: 170) == [145, 146])
        #expect(changes(of: schedule("Su 01:00-02:30"), from: 100, to: 170) == [144, 145])
        #expect(changes(of: schedule("Su 02:10-02:50"), from: 100, to: 170) == [])
    }

    /// On Sunday, 25 October, the clock goes from 3:00 to 2:00; 5185 hours after `monday`.
    @Test func clockGoesBack() {
        #expect(changes(of: schedule("Sa 22:00-07:00"), from: 5140, to: 5200) == [5180, 5190])
        #expect(
            changes(of: schedule("Su 02:15-02:45"), from: 5140, to: 5200) == [
                5184.25, 5184.75, 5185.25, 5185.75,
            ])
    }

    @Test func clockBefore1970IsRead() {
        // 31 December 1969 was a Wednesday.
        #expect(WallTime(seconds: -1) == WallTime(seconds: 6 * 86_400 + 86_399))
        #expect(WallTime(seconds: -1).weekday == 2 && WallTime(seconds: -1).minute == 1439)
    }

    /// The next change agrees with what the clock says minute by minute, for periods and zones of all kinds.
    @Test func nextChangeIsTheFirstOne() {
        var random = SplitMix64(seed: 1985)
        for _ in 0..<60 {
            let periods = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                QuietPeriod(
                    days: (0..<7).filter { _ in Bool.random(using: &random) },
                    start: .random(in: 0..<1440, using: &random),
                    end: .random(in: 0...1440, using: &random))
            }
            let schedule = QuietSchedule(periods: periods)
            let change = Self.monday + Int64.random(in: 0..<8 * 24, using: &random) * 3600
            let (before, after) = (
                [-12_600, 0, 3600, 20_700].randomElement(using: &random) ?? 0,
                [-1800, 3600, -3600, 0].randomElement(using: &random) ?? 0
            )
            let offset: (Int64) -> Int = { $0 < change ? before : before + after }
            let start = Self.monday + Int64.random(in: 0..<7 * 1440, using: &random) * 60
            let now = schedule.isQuiet(at: start, offset: offset)
            let first = (1...8 * 1440 - 1).lazy.map { start + Int64($0) * 60 }
                .first { schedule.isQuiet(at: $0, offset: offset) != now }
            #expect(
                schedule.nextChange(after: start, offset: offset) == first,
                "\(periods.map(\.text)) \(start) \(change) \(before) \(after)")
        }
    }
}
