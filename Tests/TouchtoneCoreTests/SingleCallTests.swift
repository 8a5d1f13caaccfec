// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of actions on one call by its id, as programs on the bus ask for them.
@Suite @MainActor struct SingleCallTests {
    private let fixture = CallManagerFixture()
    private var calls: CallManager { fixture.keeper }

    private func refusal(_ body: () throws(CallManager.Refusal) -> Void) -> CallManager.Refusal? {
        do throws(CallManager.Refusal) { try body() } catch { return error }
        return nil
    }

    /// Returns the refusals of all actions on a call.
    private func refusals(of id: Call.ID) -> [CallManager.Refusal?] {
        let target = RemoteParty(DialledNumber("555") ?? DialledNumber())
        return [
            refusal { () throws(CallManager.Refusal) in try calls.answerCall(id) },
            refusal { () throws(CallManager.Refusal) in try calls.holdCall(id) },
            refusal { () throws(CallManager.Refusal) in try calls.resumeCall(id) },
            refusal { () throws(CallManager.Refusal) in try calls.setMuted(true, id) },
            refusal { () throws(CallManager.Refusal) in try calls.sendKeys([.one], to: id) },
            refusal { () throws(CallManager.Refusal) in try calls.transferCall(id, to: target) },
            refusal { () throws(CallManager.Refusal) in try calls.endCall(id) },
        ]
    }

    @Test func callThatEndedRefusesAll() {
        fixture.talk("1")
        calls.hangUp()
        for id in [1, 0, -1, .max] {
            #expect(refusals(of: id) == Array(repeating: .ended, count: 7))
        }
        #expect(fixture.line.calls[0].orders == ["hang up"])
        fixture.expectNothingLeft()
    }

    @Test func callThatRingsTakesNoKeysHoldOrTransfer() {
        fixture.dial("1")
        #expect(
            refusals(of: 1) == [
                .impossible, .impossible, .impossible, nil, .impossible, .impossible, nil,
            ])
        fixture.expectNothingLeft()
    }

    @Test func numberOfAnotherAppCannotBeEnded() {
        fixture.line.features = []
        fixture.dial("1")
        #expect(refusals(of: 1) == Array(repeating: .impossible, count: 7))
        #expect(calls.calls.map(\.state) == [.dialling])
    }

    @Test func secondOfTwoCallersIsAnswered() throws {
        fixture.line.offer("1")
        fixture.line.offer("2")
        try calls.answerCall(2)
        #expect(calls.calls.map(\.state) == [.incoming, .connected])
        try calls.answerCall(1)
        #expect(calls.calls.map(\.state) == [.connected, .held])
        #expect(fixture.line.calls.map(\.orders) == [["answer"], ["answer", "hold"]])
        fixture.check("both answered")
    }

    @Test func resumingOneHoldsTheOther() throws {
        fixture.talk("1")
        try calls.holdCall(1)
        try calls.holdCall(1)
        fixture.talk("2")
        try calls.resumeCall(1)
        #expect(calls.calls.map(\.state) == [.connected, .held])
        try calls.resumeCall(1)
        #expect(fixture.line.calls.map(\.orders) == [["hold", "resume"], ["hold"]])
        fixture.check("the first is heard")
    }

    @Test func callIsNotResumedInFrontOfOneThatCannotBeHeld() throws {
        fixture.talk("1")
        try calls.holdCall(1)
        fixture.dial("2")
        #expect(refusal { () throws(CallManager.Refusal) in try calls.resumeCall(1) } == .inUse)
        fixture.line.calls[1].tell(.answered)
        fixture.line.calls[1].refusesHold = true
        #expect(refusal { () throws(CallManager.Refusal) in try calls.resumeCall(1) } == .inUse)
        #expect(calls.calls.map(\.state) == [.held, .connected])
        fixture.check("the second refuses")
    }

    @Test func holdingOneOfTwoJoinedCallsSeparatesThem() throws {
        fixture.talk("1")
        calls.flash()
        fixture.talk("2")
        calls.join()
        #expect(calls.calls.map(\.state) == [.joined, .joined])
        try calls.setMuted(true, 2)
        #expect(calls.calls.map(\.isMuted) == [true, true])
        try calls.holdCall(2)
        #expect(calls.calls.map(\.state) == [.connected, .held])
        fixture.check("one is held")
    }

    @Test func keysFollowEachOtherAndAreBounded() throws {
        fixture.talk("1")
        try calls.sendKeys([.one, .star], to: 1)
        try calls.sendKeys([.d], to: 1)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(fixture.line.calls[0].keys == "1")
        fixture.clock.advance(by: .seconds(1))
        #expect(fixture.line.calls[0].keys == "1*D")
        let many = Array(repeating: DTMFKey.five, count: CallManager.maximumWaitingKeys)
        try calls.sendKeys(many, to: 1)
        for _ in 0..<10_000 {
            #expect(refusal { () throws(CallManager.Refusal) in try calls.sendKeys([.one], to: 1) } == .full)
        }
        fixture.clock.advance(by: .seconds(60))
        #expect(fixture.line.calls[0].keys == "1*D" + String(repeating: "5", count: many.count))
        calls.hangUp()
        fixture.expectNothingLeft()
    }

    @Test func keysGoToNobodyWhoDoesNotHearThem() throws {
        fixture.talk("1")
        for event in [CallEvent.heldByFarEnd(true), .keysRefused(true)] {
            fixture.line.calls[0].tell(event)
            #expect(
                refusal { () throws(CallManager.Refusal) in try calls.sendKeys([.one], to: 1) } == .impossible
            )
            fixture.line.calls[0].tell(.heldByFarEnd(false))
        }
        fixture.clock.advance(by: .seconds(5))
        #expect(fixture.line.calls[0].keys == "")
    }

    @Test func keysDoNotGetPastTheQuestionForTheUser() throws {
        fixture.talk("555;12")
        #expect(
            refusal { () throws(CallManager.Refusal) in try calls.sendKeys([.one], to: 1) } == .impossible)
        fixture.clock.advance(by: .seconds(5))
        #expect(fixture.line.calls[0].keys == "")
        calls.sendPostDialDigits()
        fixture.clock.advance(by: .seconds(5))
        try calls.sendKeys([.three], to: 1)
        fixture.clock.advance(by: .seconds(5))
        #expect(fixture.line.calls[0].keys == "123")
    }

    @Test func blindTransferHoldsTheCallFirst() throws {
        fixture.talk("1")
        let target = RemoteParty(try #require(DialledNumber("5550199")))
        try calls.transferCall(1, to: target)
        #expect(fixture.line.calls[0].orders == ["hold", "to 5550199"])
        #expect(
            refusal { () throws(CallManager.Refusal) in try calls.transferCall(1, to: target) } == .impossible
        )
        fixture.line.calls[0].tell(.transferRefused)
        try calls.transferCall(1, to: target)
        fixture.line.calls[0].tell(.ended(.transferred))
        fixture.expectNothingLeft()
    }

    @Test func transferNeedsALineThatCallsTheTarget() throws {
        fixture.talk("1")
        let person = RemoteParty(DialledNumber(), address: "xmpp:grace@example.org")
        #expect(
            refusal { () throws(CallManager.Refusal) in try calls.transferCall(1, to: person) } == .impossible
        )
        #expect(calls.calls.map(\.state) == [.connected])
    }
}
