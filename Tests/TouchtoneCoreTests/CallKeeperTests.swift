// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneCore

@Suite @MainActor struct CallKeeperTests {
    private let desk = CallDesk()

    @Test func ringbackSoundsUntilTheAnswerAndTheTimeRunsFromThere() {
        desk.dial("5551234")
        #expect(desk.heard == [])
        desk.line.calls[0].tell(.ringing)
        #expect(desk.heard == ["ringback"])
        desk.clock.advance(by: .seconds(7))
        desk.line.calls[0].tell(.answered)
        #expect(desk.heard == [])
        var changes = 0
        desk.keeper.follow(desk) { if $0 == .calls { changes += 1 } }
        desk.clock.advance(by: .milliseconds(42_500))
        #expect(changes == 42)
        #expect(desk.keeper.current.flatMap(desk.keeper.seconds) == 42)
        desk.keeper.hangUp()
        #expect(desk.line.calls[0].orders == ["hang up"])
        #expect(desk.records.map(\.end) == [.hungUp])
        #expect(desk.records.first?.duration == .milliseconds(42_500))
        desk.expectNothingLeft()
    }

    @Test func earlyMediaWinsOverRingback() {
        desk.dial("1")
        desk.line.calls[0].tell(.ringing)
        desk.line.calls[0].tell(.earlyMedia)
        #expect(desk.heard == [])
        desk.line.calls[0].tell(.ringing)
        #expect(desk.heard == [])
        desk.keeper.press(.one)
        #expect(desk.line.calls[0].keys == "1")
    }

    @Test(arguments: [
        (CallEnd.busy, "busy"), (.declined, "busy"), (.network, "reorder"), (.failed(""), "reorder"),
        (.noSuchNumber, "specialInformation"),
    ])
    func aNumberThatIsNotReachedSaysWhyUntilItIsHungUpOrLongEnough(_ end: CallEnd, sound: String) {
        for hangsUp in [true, false] {
            desk.dial("1")
            desk.line.calls.last?.tell(.ended(end))
            #expect(desk.heard == [sound])
            #expect(desk.keeper.current?.progress.end == end)
            if hangsUp { desk.keeper.hangUp() } else { desk.clock.advance(by: .seconds(10)) }
            #expect(desk.line.calls.last?.orders == [])
            #expect(desk.records.last?.end == end)
            desk.expectNothingLeft()
        }
    }

    @Test func anIncomingCallRingsUntilItIsAnswered() {
        desk.line.offer("5550104")
        #expect(desk.heard == ["bell"])
        #expect(desk.keeper.current == nil)
        #expect(desk.keeper.incoming?.remote.number.text == "5550104")
        desk.keeper.answer()
        #expect(desk.heard == [])
        #expect(desk.line.calls[0].orders == ["answer"])
        desk.line.calls[0].tell(.ended(.farEnd))
        #expect(desk.records.map(\.isMissed) == [false])
        desk.expectNothingLeft()
    }

    @Test func whoIsDeclinedIsNotMissedAndWhoGivesUpIs() {
        desk.line.offer("1")
        desk.keeper.hangUp()
        desk.line.offer("2")
        desk.line.calls[1].tell(.ended(.noAnswer))
        desk.line.offer("3")
        desk.clock.advance(by: .seconds(180))
        #expect(desk.records.map(\.isMissed) == [false, true, true])
        #expect(desk.line.calls.map(\.orders) == [["hang up"], [], ["hang up"]])
        desk.expectNothingLeft()
    }

    @Test func whoCallsMeanwhileKnocksAndFlashTakesThem() {
        desk.talk("1")
        desk.line.offer("2")
        #expect(desk.heard == ["callWaiting"])
        desk.keeper.flash()
        #expect(desk.heard == [])
        #expect(desk.keeper.calls.map(\.phase) == [.held, .connected])
        desk.keeper.flash()
        #expect(desk.keeper.calls.map(\.phase) == [.connected, .held])
        #expect(desk.line.calls[0].orders == ["hold", "resume"])
        #expect(desk.line.calls[1].orders == ["answer", "hold"])
        desk.line.offer("3")
        #expect(desk.line.calls[2].orders == ["busy"], "there is no room for a third")
        desk.keeper.hangUp()
        #expect(desk.keeper.current?.phase == .held, "nobody is heard before that is wanted")
        desk.keeper.flash()
        #expect(desk.keeper.current?.phase == .connected)
    }

    @Test func aThirdCallerIsToldThatThePhoneIsBusyAndIsMissed() {
        desk.talk("1")
        desk.line.offer("2")
        desk.keeper.answer()
        var told: [CallRecord] = []
        desk.keeper.follow(desk) { if case .ended(let record) = $0 { told.append(record) } }
        desk.line.offer("5550104")
        #expect(desk.line.calls[2].orders == ["busy"])
        #expect(desk.records.map(\.remote.number.text) == ["5550104"])
        #expect(desk.records.map(\.end) == [.busy])
        #expect(desk.records.map(\.isMissed) == [true])
        #expect(desk.records.first?.line == desk.line.id)
        #expect(desk.records.first?.duration == nil)
        #expect(told == desk.records)
        #expect(desk.keeper.calls.map(\.phase) == [.held, .connected], "both calls go on")
        // What the caller's line may still say changes nothing.
        desk.line.calls[2].tell(.ended(.farEnd))
        #expect(desk.records.count == 1)
        desk.keeper.hangUpAll()
        desk.expectNothingLeft()
    }

    @Test func whoKnocksRingsOnceTheOtherCallIsOver() {
        desk.talk("1")
        desk.line.offer("2")
        desk.keeper.hangUp()
        #expect(desk.heard == ["bell"])
    }

    @Test func flashAloneGivesDialToneForASecondNumber() {
        desk.talk("1")
        desk.keeper.flash()
        #expect(desk.heard == ["dial"])
        #expect(desk.keeper.isTakingNumber)
        desk.keeper.noteNumberBegun()
        #expect(desk.heard == [])
        desk.dial("2")
        #expect(!desk.keeper.isTakingNumber)
        #expect(desk.keeper.calls.map(\.phase) == [.held, .dialling])
        desk.line.calls[1].tell(.ended(.busy))
        #expect(desk.heard == ["busy"])
        desk.keeper.flash()
        #expect(desk.keeper.calls.map(\.phase) == [.connected])
    }

    @Test func dialToneEndsByItselfAndFlashGoesBack() {
        desk.talk("1")
        desk.keeper.flash()
        desk.clock.advance(by: .seconds(20))
        #expect(desk.heard == [])
        #expect(desk.keeper.isTakingNumber)
        desk.keeper.flash()
        #expect(!desk.keeper.isTakingNumber)
        #expect(desk.keeper.current?.phase == .connected)
    }

    @Test func keysGoToTheFarEndThatIsHeard() {
        desk.dial("1")
        desk.keeper.press(.one)
        desk.line.calls[0].tell(.answered)
        for key in [DTMFKey.one, .two, .pound, .star] { desk.keeper.press(key) }
        desk.keeper.setHeld(true)
        desk.keeper.press(.nine)
        #expect(desk.line.calls[0].keys == "12#*")
        #expect(desk.keeper.current?.digits == "12#*")
        desk.keeper.setHeld(false)
        for _ in 0..<100 { desk.keeper.press(.zero) }
        #expect(desk.keeper.current?.digits == String(repeating: "0", count: 40))
    }

    @Test func muteIsOfTheCallThatTheUserIsAt() {
        desk.keeper.setMuted(true)
        desk.talk("1")
        desk.keeper.setMuted(true)
        #expect(desk.keeper.current?.isMuted == true)
        desk.keeper.setMuted(false)
        #expect(desk.line.calls[0].orders == ["mute", "unmute"])
    }

    @Test func aCallThatCannotBeHeldGoesOn() {
        desk.line.refusesHold = true
        desk.talk("1")
        desk.keeper.setHeld(true)
        #expect(desk.keeper.current?.phase == .connected)
        desk.keeper.flash()
        #expect(!desk.keeper.isTakingNumber)
        desk.line.refusesHold = false
        desk.line.offer("2")
        desk.keeper.answer()
        #expect(desk.keeper.calls.map(\.remote.number.text) == ["2"], "one that can't be held gives way")
        #expect(desk.line.calls[0].orders.last == "hang up")
    }

    @Test func aNumberHandedOverIsNobodysToHangUp() {
        desk.line.features = []
        desk.dial("1")
        desk.keeper.hangUp()
        #expect(desk.keeper.current?.phase == .dialling)
        #expect(!desk.keeper.dial(RemoteParty(DialledNumber("2") ?? DialledNumber()), on: desk.line))
        desk.line.answer(.handedOver(to: "Calls"))
        #expect(desk.records.map(\.end) == [.handedOver(to: "Calls")])
        desk.expectNothingLeft()
    }

    @Test func eventsAfterTheEndAreNobodys() {
        desk.talk("1")
        desk.keeper.hangUp()
        for event in CallDesk.events { desk.line.calls[0].tell(event) }
        desk.expectNothingLeft()
    }

    @Test func theLinesRulesAreForTheLineAlone() {
        desk.line.rules = DialRules(prefix: "9")
        desk.dial("5551234")
        #expect(desk.line.dialled == ["95551234"])
        #expect(desk.keeper.current?.remote.number.text == "5551234")
    }

    @Test func withoutAPlanTheNetworkIsSilent() {
        desk.keeper.tonePlan = nil
        desk.dial("1")
        desk.line.calls[0].tell(.ringing)
        #expect(desk.heard == [])
    }
}
