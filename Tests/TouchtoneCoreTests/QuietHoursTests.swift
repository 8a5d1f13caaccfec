// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the schedule of Do Not Disturb, and of its one alarm.
@MainActor
struct QuietHoursTests {
    /// Monday, 23 March 2026, 12:00 in UTC.
    private static let noon: Int64 = 1_774_267_200
    private static let hour: Int64 = 3600

    private let wall = ManualAlarmClock(seconds: noon)
    private let fixture = CallManagerFixture()
    private let hours: QuietHours
    /// The distance of the user's clock from UTC, in seconds.
    private let offset = Offset()

    @MainActor
    private final class Offset { var value = 0 }

    init() {
        let offset = offset
        hours = QuietHours(wall: wall, clock: fixture.clock) { _ in offset.value }
        hours.save = { [hours] in hours.texts = $0 }
        hours.follow(fixture.keeper)
    }

    @Test func oneAlarmFollowsTheSchedule() {
        #expect(wall.times == [])
        hours.texts = ["Mo-Fr 22:00-07:00", "Mo 13:00-14:00"]
        #expect(!hours.isOn && hours.end == nil && wall.times == [Self.noon + Self.hour])
        wall.advance(to: Self.noon + Self.hour)
        #expect(hours.isOn && hours.end == ChatTime(milliseconds: (Self.noon + 2 * Self.hour) * 1000))
        wall.advance(to: Self.noon + 2 * Self.hour)
        #expect(!hours.isOn && wall.times == [Self.noon + 10 * Self.hour])
        wall.advance(to: Self.noon + 18 * Self.hour)
        #expect(hours.isOn)
        hours.texts = []
        #expect(!hours.isOn && wall.times == [])
    }

    @Test func clockThatIsSetIsNoticed() {
        hours.texts = ["Mo-Fr 22:00-07:00"]
        wall.set(to: Self.noon + 11 * Self.hour)
        #expect(hours.isOn && wall.times == [Self.noon + 19 * Self.hour])
        wall.set(to: Self.noon)
        #expect(!hours.isOn && wall.times == [Self.noon + 10 * Self.hour])
        // Another time zone is noticed as the clock that is set.
        offset.value = Int(10 * Self.hour)
        wall.set(to: Self.noon)
        #expect(hours.isOn && wall.times == [Self.noon + 9 * Self.hour])
    }

    @Test func badEntriesAreShownAndDoNothing() {
        hours.texts = ["Mo-Su 00:00-24:00x", "Mo 13:00-14:00", ""]
        #expect(!hours.isOn)
        #expect(
            hours.entries == [
                .unreadable("Mo-Su 00:00-24:00x"), QuietPeriod("Mo 13:00-14:00").map { .period($0) },
                .unreadable(""),
            ])
        hours.remove(at: 0)
        #expect(hours.texts == ["Mo 13:00-14:00", ""])
        hours.remove(at: 7)
        #expect(hours.texts.count == 2)
    }

    @Test func scheduleIsBounded() throws {
        let always = try #require(QuietPeriod("Mo-Su 00:00-24:00"))
        hours.texts = Array(repeating: "x", count: QuietHours.capacity) + [always.text]
        #expect(!hours.isOn && hours.entries.count == QuietHours.capacity && !hours.hasRoom)
        hours.add(always)
        #expect(hours.texts.count == QuietHours.capacity + 1)
        hours.texts = []
        hours.add(always)
        hours.add(always)
        #expect(hours.texts == [always.text] && hours.isOn && hours.end == nil && wall.times == [])
        hours.save = nil
        hours.remove(at: 0)
        #expect(!hours.isEditable && hours.texts == [always.text])
    }

    @Test func quietTimeCanBeEndedOnce() {
        hours.texts = ["Mo,Tu 11:00-13:00"]
        #expect(hours.isOn)
        hours.dismiss()
        #expect(!hours.isOn && hours.end == nil)
        wall.advance(to: Self.noon + Self.hour / 2)
        hours.check()
        #expect(!hours.isOn)
        wall.advance(to: Self.noon + 23 * Self.hour)
        #expect(hours.isOn)
        // A change of the schedule is meant.
        hours.dismiss()
        hours.texts = ["Mo,Tu 11:00-14:00"]
        #expect(hours.isOn)
    }

    @Test func emergencyCallSuspendsForAQuarterOfAnHour() {
        fixture.dial("5550104")
        fixture.keeper.hangUp()
        #expect(!hours.isSuspended)
        fixture.talk("112")
        #expect(hours.isSuspended)
        fixture.clock.advance(by: .seconds(3600))
        #expect(hours.isSuspended, "the call goes on")
        fixture.keeper.hangUpAll()
        fixture.clock.advance(by: QuietHours.suspension - .seconds(1))
        #expect(hours.isSuspended)
        fixture.dial("112")
        fixture.keeper.hangUpAll()
        fixture.clock.advance(by: QuietHours.suspension - .seconds(1))
        #expect(hours.isSuspended, "the time begins anew")
        fixture.clock.advance(by: .seconds(1))
        #expect(!hours.isSuspended && fixture.clock.pending == 0)
    }
}

/// Tests of the calls that ring although the phone is quiet.
@MainActor
struct QuietCallTests {
    private let fixture = CallManagerFixture()

    private func isHeard(_ number: String, _ address: String = "") -> Bool {
        fixture.line.offer(number, address: address)
        let isHeard = fixture.heard == ["bell"]
        #expect(fixture.keeper.incoming.map(fixture.keeper.isHeard) == isHeard)
        fixture.line.calls.last?.tell(.ended(.noAnswer))
        return isHeard
    }

    @Test func onlyExceptionsRing() {
        fixture.keeper.isFavourite = { $0.number.text == "5550104" }
        fixture.keeper.quietness = .exceptions
        #expect(isHeard("5550104") && !isHeard("5550105"))
        fixture.keeper.quietness = .on
        #expect(!isHeard("5550104"))
        // A call from the emergency services always rings.
        #expect(isHeard("112"))
        fixture.keeper.quietness = .off
        #expect(isHeard("5550106"))
        fixture.expectNothingLeft()
    }

    @Test func callerWhoCallsAgainRings() {
        fixture.keeper.quietness = .exceptions
        #expect(!isHeard("5550104") && !isHeard("", "sip:grace@example.org"))
        fixture.clock.advance(by: .seconds(180))
        #expect(isHeard("5550104") && isHeard("", "sip:grace@example.org") && !isHeard("5550105"))
        fixture.clock.advance(by: .seconds(181))
        #expect(!isHeard("5550104"))
        // Who hides could be anybody.
        #expect(!isHeard("") && !isHeard(""))
    }

    @Test func declinedAndAnsweredCallsAreNoReason() {
        fixture.keeper.quietness = .exceptions
        fixture.line.offer("5550104")
        fixture.keeper.decline()
        #expect(!isHeard("5550104"))
        fixture.line.offer("5550105")
        fixture.keeper.answer()
        fixture.line.calls.last?.tell(.ended(.farEnd))
        #expect(!isHeard("5550105"))
        fixture.keeper.blockList.entries = ["5550106"]
        fixture.line.offer("5550106")
        fixture.keeper.blockList.entries = []
        #expect(!isHeard("5550106"))
    }

    @Test func memoryOfCallersIsBounded() {
        var callers = MissedCallers()
        for number in 0...MissedCallers.capacity {
            callers.note(RemoteParty(DialledNumber("\(5_550_000 + number)") ?? DialledNumber()), at: .zero)
        }
        #expect(!callers.contains(RemoteParty(DialledNumber("5550000") ?? DialledNumber()), at: .zero))
        #expect(callers.contains(RemoteParty(DialledNumber("5550001") ?? DialledNumber()), at: .zero))
    }

    @Test func changeTakesEffectAtOnce() {
        fixture.keeper.quietness = .on
        fixture.line.offer("5550104")
        #expect(fixture.heard == [])
        fixture.keeper.quietness = .off
        #expect(fixture.heard == ["bell"])
        fixture.keeper.quietness = .exceptions
        #expect(fixture.heard == [])
        fixture.keeper.hangUpAll()
    }
}
