// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of more than two simultaneous calls: one is heard, or some are joined, and the others wait on hold.
@Suite @MainActor struct SeveralCallsTests {
    private let fixture = CallManagerFixture()

    private static let other = RemoteParty(DialledNumber("9") ?? DialledNumber())

    private var keeper: CallManager { fixture.keeper }
    private var orders: [[String]] { fixture.line.calls.map(\.orders) }

    /// The calls, each with its number and state.
    private var states: [String] { keeper.calls.map { "\($0.remote.number.text) \($0.state)" } }

    private func id(_ number: String) -> Call.ID {
        keeper.calls.first { $0.remote.number.text == number }?.id ?? -1
    }

    /// Talks to so many parties, one after the other; the others wait on hold.
    private func talk(toFirst count: Int) {
        for number in 1...count { fixture.talk("\(number)") }
    }

    @Test func sixCallsAreKeptAndSeventhIsBusy() {
        talk(toFirst: 5)
        fixture.line.offer("6")
        #expect(fixture.heard == ["callWaiting"])
        keeper.answer()
        #expect(states == ["1 held", "2 held", "3 held", "4 held", "5 held", "6 connected"])
        #expect(keeper.held.map(\.remote.number.text) == ["5", "4", "3", "2", "1"])
        fixture.line.offer("7")
        #expect(orders[6] == ["busy"] && keeper.calls.count == 6)
        #expect(fixture.records.last?.endReason == .busy)
        fixture.dial("8")
        #expect(fixture.line.calls.count == 7, "there is no place for another number, either")
        #expect(!keeper.canAddCall)
        fixture.check("six calls")
    }

    @Test func hangingUpResumesNothing() {
        talk(toFirst: 4)
        keeper.hangUp()
        #expect(states == ["1 held", "2 held", "3 held"])
        #expect(keeper.current?.remote.number.text == "3", "HOLD returns to the one that was held last")
        fixture.line.calls[1].tell(.ended(.farEnd))
        #expect(states == ["1 held", "3 held"])
        keeper.setHeld(false)
        #expect(states == ["1 held", "3 connected"])
    }

    @Test func flashSwitchesBetweenLastTwo() {
        talk(toFirst: 3)
        keeper.flash()
        #expect(states == ["1 held", "2 connected", "3 held"])
        keeper.flash()
        #expect(states == ["1 held", "2 held", "3 connected"])
        #expect(keeper.other?.remote.number.text == "2")
    }

    @Test func anyHeldCallIsResumedOrEnded() throws {
        talk(toFirst: 4)
        try keeper.resumeCall(id("1"))
        #expect(states == ["1 connected", "2 held", "3 held", "4 held"])
        keeper.hangUp(id("3"))
        #expect(states == ["1 connected", "2 held", "4 held"])
        #expect(orders[2].last == "hang up")
    }

    @Test func joinedCallsGrowAndAreSeparated() throws {
        talk(toFirst: 4)
        keeper.join()
        keeper.join(id("1"))
        #expect(states == ["1 joined", "2 held", "3 joined", "4 joined"])
        #expect(orders[2].last == "join 4" && orders[0].last == "join 3")
        keeper.setMuted(true)
        keeper.join(id("2"))
        #expect(keeper.calls.allSatisfy { $0.state == .joined && $0.isMuted })
        keeper.press(.seven)
        #expect(fixture.line.calls.map(\.keys) == ["7", "7", "7", "7"])
        keeper.flash()
        #expect(states == ["1 joined", "2 joined", "3 joined", "4 held"])
        try keeper.holdCall(id("2"))
        fixture.line.calls[0].tell(.ended(.farEnd))
        #expect(states == ["2 held", "3 connected", "4 held"])
    }

    @Test func joinedCallsAreHeldForCallerAndResumedTogether() {
        talk(toFirst: 2)
        keeper.join()
        fixture.line.offer("3")
        keeper.answer()
        #expect(states == ["1 held", "2 held", "3 connected"], "nobody is hung up")
        keeper.flash()
        #expect(states == ["1 joined", "2 joined", "3 held"])
        keeper.flash()
        #expect(states == ["1 held", "2 held", "3 connected"])
        keeper.hangUp()
        keeper.setHeld(false)
        #expect(states == ["1 joined", "2 joined"])
        keeper.hangUp()
        fixture.expectNothingLeft()
    }

    @Test func joinedCallsMakeWayForTheOneThatWaits() throws {
        talk(toFirst: 3)
        keeper.join()
        #expect(states == ["1 held", "2 joined", "3 joined"])
        #expect(keeper.canAddCall && keeper.canFlash)
        try keeper.resumeCall(id("1"))
        #expect(states == ["1 connected", "2 held", "3 held"])
        keeper.flash()
        #expect(states == ["1 held", "2 joined", "3 joined"])
        fixture.dial("4")
        #expect(states.prefix(3) == ["1 held", "2 held", "3 held"])
    }

    @Test func joinedCallsWhoseHoldIsRefusedStayJoined() {
        talk(toFirst: 2)
        keeper.join()
        keeper.setHeld(true)
        for call in fixture.line.calls { call.tell(.holdRefused) }
        #expect(states == ["1 joined", "2 joined"], "nobody is hung up")
    }

    @Test func anotherNumberIsCalledBesidesSeveral() {
        talk(toFirst: 2)
        keeper.join()
        keeper.addCall()
        #expect(states == ["1 held", "2 held"] && keeper.isTakingNumber && fixture.heard == ["dial"])
        #expect(!keeper.canTransfer, "the number on the display would not be asked")
        keeper.flash()
        #expect(states == ["1 joined", "2 joined"] && !keeper.isTakingNumber)
        keeper.addCall()
        fixture.talk("3")
        #expect(states == ["1 held", "2 held", "3 connected"])
    }

    @Test func callThatCannotBeHeldIsNotHeardBesideAnother() {
        talk(toFirst: 2)
        fixture.line.calls[1].refusesHold = true
        keeper.flash()
        #expect(states == ["1 held", "2 connected"])
        fixture.line.offer("3")
        keeper.answer()
        #expect(states == ["1 held", "3 connected"], "it makes room for the caller")
    }

    @Test func refusedTransferLeavesOthersPending() throws {
        talk(toFirst: 3)
        try keeper.transferCall(id("1"), to: Self.other)
        try keeper.transferCall(id("2"), to: Self.other)
        fixture.line.calls[0].tell(.transferRefused)
        #expect(keeper.calls.map(\.transfer) == [.failed, .pending, nil])
        fixture.line.calls[1].tell(.ended(.transferred))
        #expect(states == ["1 held", "3 connected"])
    }

    @Test func machineTakesSeventhCaller() {
        let recorder = FakeRecorder()
        (keeper.recorder, keeper.machineRules.isOn) = (recorder, true)
        fixture.line.features.insert(.machine)
        talk(toFirst: 6)
        fixture.line.offer("7")
        #expect(states.last == "7 machine")
        keeper.hangUp(id("1"))
        keeper.answer()
        #expect(states.last == "7 connected" && states.count { $0.hasSuffix("connected") } == 1)
    }

    @Test func audibleCallerRingsBehindSilentOne() {
        keeper.quietness = .exceptions
        keeper.isFavourite = { $0.number.text == "2" }
        fixture.line.offer("1")
        #expect(fixture.heard == [])
        fixture.line.offer("2")
        #expect(fixture.heard == ["bell"])
    }
}
