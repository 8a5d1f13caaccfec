// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing

@testable import TouchtoneCore

@Suite @MainActor struct CallManagerTests {
    private let fixture = CallManagerFixture()

    @Test func ringbackSoundsUntilAnswerAndTimeRunsFromThere() {
        fixture.dial("5551234")
        #expect(fixture.heard == [])
        fixture.line.calls[0].tell(.ringing)
        #expect(fixture.heard == ["ringback"])
        fixture.clock.advance(by: .seconds(7))
        fixture.line.calls[0].tell(.answered)
        #expect(fixture.heard == [])
        var changes = 0
        fixture.keeper.observe(by: fixture) { if $0 == .calls { changes += 1 } }
        fixture.clock.advance(by: .milliseconds(42_500))
        #expect(changes == 42)
        #expect(fixture.keeper.current.flatMap(fixture.keeper.seconds) == 42)
        fixture.keeper.hangUp()
        #expect(fixture.line.calls[0].orders == ["hang up"])
        #expect(fixture.records.map(\.endReason) == [.hungUp])
        #expect(fixture.records.first?.duration == .milliseconds(42_500))
        fixture.expectNothingLeft()
    }

    @Test func earlyMediaReplacesRingback() {
        fixture.dial("1")
        fixture.line.calls[0].tell(.ringing)
        fixture.line.calls[0].tell(.earlyMedia)
        #expect(fixture.heard == [])
        fixture.line.calls[0].tell(.ringing)
        #expect(fixture.heard == [])
        fixture.keeper.press(.one)
        #expect(fixture.line.calls[0].keys == "1")
    }

    @Test(arguments: [
        (CallEndReason.busy, "busy"), (.declined, "busy"), (.network, "reorder"), (.failed(""), "reorder"),
        (.noSuchNumber, "specialInformation"),
    ])
    func failedNumberShowsReasonUntilHangUpOrTimeout(_ end: CallEndReason, sound: String) {
        for hangsUp in [true, false] {
            fixture.dial("1")
            fixture.line.calls.last?.tell(.ended(end))
            #expect(fixture.heard == [sound])
            #expect(fixture.keeper.current?.machine.endReason == end)
            fixture.clock.advance(by: .milliseconds(7999))
            #expect(fixture.keeper.current?.state == .refused)
            if hangsUp { fixture.keeper.hangUp() } else { fixture.clock.advance(by: .milliseconds(1)) }
            #expect(fixture.line.calls.last?.orders == [])
            #expect(fixture.records.last?.endReason == end)
            fixture.expectNothingLeft()
        }
    }

    @Test func incomingCallRingsUntilAnswered() {
        fixture.line.offer("5550104")
        #expect(fixture.heard == ["bell"])
        #expect(fixture.keeper.current == nil)
        #expect(fixture.keeper.incoming?.remote.number.text == "5550104")
        fixture.keeper.answer()
        #expect(fixture.heard == [])
        #expect(fixture.line.calls[0].orders == ["answer"])
        fixture.line.calls[0].tell(.ended(.farEnd))
        #expect(fixture.records.map(\.isMissed) == [false])
        fixture.expectNothingLeft()
    }

    @Test func missedCallsIncludeAbandonedButNotDeclined() {
        fixture.line.offer("1")
        fixture.keeper.hangUp()
        fixture.line.offer("2")
        fixture.line.calls[1].tell(.ended(.noAnswer))
        fixture.line.offer("3")
        fixture.clock.advance(by: .seconds(180))
        #expect(fixture.records.map(\.isMissed) == [false, true, true])
        #expect(fixture.line.calls.map(\.orders) == [["hang up"], [], ["hang up"]])
        fixture.expectNothingLeft()
    }

    @Test func secondCallWaitsAndFlashAnswersIt() {
        fixture.talk("1")
        fixture.line.offer("2")
        #expect(fixture.heard == ["callWaiting"])
        fixture.keeper.flash()
        #expect(fixture.heard == [])
        #expect(fixture.keeper.calls.map(\.state) == [.held, .connected])
        fixture.keeper.flash()
        #expect(fixture.keeper.calls.map(\.state) == [.connected, .held])
        #expect(fixture.line.calls[0].orders == ["hold", "resume"])
        #expect(fixture.line.calls[1].orders == ["answer", "hold"])
        fixture.keeper.hangUp()
        #expect(fixture.keeper.current?.state == .held, "nobody is heard before that is wanted")
        fixture.keeper.flash()
        #expect(fixture.keeper.current?.state == .connected)
    }

    @Test func seventhCallerGetsBusyAndIsMissed() {
        fixture.fill()
        var told: [CallRecord] = []
        fixture.keeper.observe(by: fixture) { if case .ended(let record) = $0 { told.append(record) } }
        fixture.line.offer("5550104")
        #expect(fixture.line.calls[6].orders == ["busy"])
        #expect(fixture.records.map(\.remote.number.text) == ["5550104"])
        #expect(fixture.records.map(\.endReason) == [.busy])
        #expect(fixture.records.map(\.isMissed) == [true])
        #expect(fixture.records.first?.line == fixture.line.id)
        #expect(fixture.records.first?.duration == nil)
        #expect(told == fixture.records)
        #expect(fixture.keeper.calls.map(\.state).last == .connected && fixture.keeper.held.count == 5)
        // Later events of the caller's line change nothing.
        fixture.line.calls[6].tell(.ended(.farEnd))
        #expect(fixture.records.count == 1)
        fixture.keeper.hangUpAll()
        fixture.expectNothingLeft()
    }

    @Test func waitingCallRingsAfterOtherCallEnds() {
        fixture.talk("1")
        fixture.line.offer("2")
        fixture.keeper.hangUp()
        #expect(fixture.heard == ["bell"])
    }

    @Test func flashGivesDialToneForSecondNumber() {
        fixture.talk("1")
        fixture.keeper.flash()
        #expect(fixture.heard == ["dial"])
        #expect(fixture.keeper.isTakingNumber)
        fixture.keeper.recordNumberBegun()
        #expect(fixture.heard == [])
        fixture.dial("2")
        #expect(!fixture.keeper.isTakingNumber)
        #expect(fixture.keeper.calls.map(\.state) == [.held, .dialling])
        fixture.line.calls[1].tell(.ended(.busy))
        #expect(fixture.heard == ["busy"])
        fixture.keeper.flash()
        #expect(fixture.keeper.calls.map(\.state) == [.connected])
    }

    @Test func dialToneTimesOutAndFlashReturns() {
        fixture.talk("1")
        fixture.keeper.flash()
        fixture.clock.advance(by: .seconds(20))
        #expect(fixture.heard == [])
        #expect(fixture.keeper.isTakingNumber)
        fixture.keeper.flash()
        #expect(!fixture.keeper.isTakingNumber)
        #expect(fixture.keeper.current?.state == .connected)
    }

    @Test func keysGoToActiveFarEnd() {
        fixture.dial("1")
        fixture.keeper.press(.one)
        fixture.line.calls[0].tell(.answered)
        for key in [DTMFKey.one, .two, .pound, .star] { fixture.keeper.press(key) }
        fixture.keeper.setHeld(true)
        fixture.keeper.press(.nine)
        #expect(fixture.line.calls[0].keys == "12#*")
        #expect(fixture.keeper.current?.digits == "12#*")
        fixture.keeper.setHeld(false)
        for _ in 0..<100 { fixture.keeper.press(.zero) }
        #expect(fixture.keeper.current?.digits == String(repeating: "0", count: 40))
    }

    @Test func muteAppliesToActiveCall() {
        fixture.keeper.setMuted(true)
        fixture.talk("1")
        fixture.keeper.setMuted(true)
        #expect(fixture.keeper.current?.isMuted == true)
        fixture.keeper.setMuted(false)
        #expect(fixture.line.calls[0].orders == ["mute", "unmute"])
    }

    @Test func callContinuesIfItCannotBeHeld() {
        fixture.line.refusesHold = true
        fixture.talk("1")
        fixture.keeper.setHeld(true)
        #expect(fixture.keeper.current?.state == .connected)
        fixture.keeper.flash()
        #expect(!fixture.keeper.isTakingNumber)
        fixture.line.refusesHold = false
        fixture.line.offer("2")
        fixture.keeper.answer()
        #expect(fixture.keeper.calls.map(\.remote.number.text) == ["2"], "one that can't be held gives way")
        #expect(fixture.line.calls[0].orders.last == "hang up")
    }

    @Test func handedOverNumberCannotBeHungUp() {
        fixture.line.features = []
        fixture.dial("1")
        fixture.keeper.hangUp()
        #expect(fixture.keeper.current?.state == .dialling)
        #expect(!fixture.keeper.dial(RemoteParty(DialledNumber("2") ?? DialledNumber()), on: fixture.line))
        fixture.line.answer(.handedOver(to: "Calls"))
        #expect(fixture.records.map(\.endReason) == [.handedOver(to: "Calls")])
        fixture.expectNothingLeft()
    }

    @Test func eventsAfterEndAreIgnored() {
        fixture.talk("1")
        fixture.keeper.hangUp()
        for event in CallManagerFixture.events { fixture.line.calls[0].tell(event) }
        fixture.expectNothingLeft()
    }

    @Test func dialRulesAffectOnlyTheLine() {
        fixture.line.rules = DialRules(prefix: "9")
        fixture.dial("5551234")
        #expect(fixture.line.dialled == ["95551234"])
        #expect(fixture.keeper.current?.remote.number.text == "5551234")
    }

    @Test func networkIsSilentWithoutTonePlan() {
        fixture.keeper.tonePlan = nil
        fixture.dial("1")
        fixture.line.calls[0].tell(.ringing)
        #expect(fixture.heard == [])
    }
}
