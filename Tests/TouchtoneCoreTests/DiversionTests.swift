// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of calls that go on to another number or address.
@MainActor
struct DiversionTests {
    private let fixture = CallManagerFixture()
    private var line: FakeLine { fixture.line }
    private var orders: [[String]] { line.calls.map(\.orders) }

    init() { line.features = [.conversation, .hold, .diversion] }

    private func target(_ number: String) -> RemoteParty {
        RemoteParty(DialledNumber(number) ?? DialledNumber())
    }

    private func divert(_ calls: Diversion.Calls, to number: String = "5550100") {
        line.diversion = Diversion(of: calls, to: target(number), after: .seconds(20))
    }

    @Test func allCallsAreDivertedWithoutRinging() {
        divert(.all)
        line.offer("5550104")
        #expect(orders == [["divert 5550100"]])
        #expect(fixture.heard == [] && fixture.keeper.calls.isEmpty)
        #expect(fixture.records.map(\.endReason) == [.diverted] && !fixture.records[0].isMissed)
        line.diversion = nil
        line.offer("5550104")
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    @Test(arguments: Diversion.Calls.allCases)
    func callsWithoutRoomAreDiverted(calls: Diversion.Calls) {
        fixture.fill()
        divert(calls)
        line.offer("5550104")
        #expect(orders.last == [calls == .unanswered ? "busy" : "divert 5550100"])
        #expect(fixture.records.map(\.endReason) == [calls == .unanswered ? .busy : .diverted])
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    @Test(arguments: [Diversion.Calls.unanswered, .busyOrUnanswered])
    func unansweredCallIsDivertedInTime(calls: Diversion.Calls) {
        divert(calls)
        line.offer("5550104")
        fixture.clock.advance(by: .seconds(19))
        #expect(fixture.heard == ["bell"] && orders == [[]])
        fixture.clock.advance(by: .seconds(1))
        #expect(orders == [["divert 5550100"]])
        #expect(fixture.records.map(\.endReason) == [.diverted])
        fixture.expectNothingLeft()
        // An answered call stays, and so does one whose diversion was turned off meanwhile.
        line.offer("5550104")
        fixture.keeper.answer()
        fixture.clock.advance(by: .seconds(30))
        fixture.keeper.hangUp()
        line.offer("5550104")
        line.diversion = nil
        fixture.clock.advance(by: .seconds(30))
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    @Test func otherCallsRing() {
        divert(.busy)
        line.offer("5550104")
        fixture.clock.advance(by: .seconds(60))
        #expect(fixture.heard == ["bell"])
        fixture.keeper.hangUpAll()
        divert(.all)
        line.features = [.conversation, .hold]
        line.offer("5550104")
        #expect(fixture.keeper.incoming != nil, "the line cannot divert calls")
        fixture.keeper.hangUpAll()
    }

    /// A call that goes round in circles rings at last; one does not go back to its caller.
    @Test func circlesEnd() {
        divert(.all)
        line.diversions = Diversion.maximumHops - 1
        line.offer("5550104")
        #expect(fixture.keeper.incoming == nil)
        line.diversions = Diversion.maximumHops
        line.offer("5550104")
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.hangUpAll()
        line.diversions = 0
        divert(.all, to: "+15558675309")
        line.offer("5558675309")
        #expect(fixture.keeper.incoming != nil, "it would come back")
        fixture.keeper.hangUpAll()
    }

    @Test func emergencyCallsAreNeverDiverted() {
        for calls in [Diversion.Calls.all, .busyOrUnanswered] {
            divert(calls)
            line.offer("112")
            fixture.clock.advance(by: .seconds(60))
            #expect(fixture.heard == ["bell"])
            fixture.keeper.hangUpAll()
        }
        // Nobody is sent to them, either.
        divert(.all, to: "112")
        line.offer("5550104")
        #expect(fixture.keeper.incoming != nil)
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    /// The emergency services may call back from any number, and are not put off in other ways, either.
    @Test func callBackRings() async {
        divert(.all)
        (fixture.keeper.callers.hidden, fixture.keeper.callers.unknown) = (.decline, .decline)
        fixture.keeper.callers.knows = { _ in false }
        fixture.dial("112")
        fixture.keeper.hangUpAll()
        fixture.clock.advance(by: QuietHours.suspension - .seconds(1))
        #expect(await fixture.keeper.callers.treatment(of: target("5550104")) == .ring)
        for number in ["5550104", ""] {
            line.offer(number)
            #expect(fixture.keeper.incoming != nil, "\(number)")
            fixture.keeper.hangUpAll()
        }
        fixture.clock.advance(by: .seconds(1))
        #expect(await fixture.keeper.callers.treatment(of: target("5550104")) == .decline)
        line.offer("5550104")
        #expect(line.calls.last?.orders == ["divert 5550100"])
    }

    @Test func blockedCallersAreNotDiverted() {
        divert(.all)
        fixture.keeper.blockList.entries = ["5550104"]
        line.offer("5550104")
        #expect(orders == [["hang up"]])
    }

    @Test func ringingCallIsDivertedByHand() {
        #expect(!fixture.keeper.canDivert && !fixture.keeper.divert(to: target("5550100")))
        line.ownNumber = "5550199"
        // The user may send on also what has been diverted often.
        line.diversions = 50
        line.offer("5550104")
        #expect(fixture.keeper.canDivert)
        for number in ["5550104", "5550199", "112", ""] {
            #expect(!fixture.keeper.divert(to: target(number)), "\(number)")
        }
        #expect(!fixture.keeper.divert(to: RemoteParty(DialledNumber(), address: "xmpp:a@example.org")))
        #expect(orders == [[]] && fixture.heard == ["bell"])
        #expect(fixture.keeper.divert(to: target("5550100")))
        #expect(orders == [["divert 5550100"]] && fixture.records.map(\.endReason) == [.diverted])
        fixture.expectNothingLeft()
    }
}
