// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of two simultaneous calls: joined, separated, transferred; and of the loudspeaker.
@Suite @MainActor struct HoldAndTransferTests {
    private let fixture = CallManagerFixture()

    /// Puts one call on hold and connects a second one.
    private func talkToTwo() {
        fixture.talk("1")
        fixture.keeper.flash()
        fixture.talk("2")
    }

    private var phases: [CallState] { fixture.keeper.calls.map(\.state) }
    private var transfers: [Call.Transfer?] { fixture.keeper.calls.map(\.transfer) }
    private var orders: [[String]] { fixture.line.calls.map(\.orders) }

    @Test func joinedCallsAreBothHeardSentKeysAndMuted() {
        talkToTwo()
        #expect(fixture.keeper.current?.remote.number.text == "2")
        #expect(fixture.keeper.other?.remote.number.text == "1")
        #expect(fixture.keeper.canJoin)
        fixture.keeper.join()
        #expect(phases == [.joined, .joined])
        #expect(!fixture.keeper.canJoin)
        #expect(orders == [["hold", "join 2"], []], "the line is told by the call that waited")
        fixture.keeper.press(.five)
        fixture.keeper.setMuted(true)
        #expect(fixture.line.calls.map(\.keys) == ["5", "5"])
        #expect(fixture.keeper.calls.map(\.digits) == ["5", "5"])
        #expect(fixture.keeper.calls.map(\.isMuted) == [true, true])
    }

    @Test(arguments: [false, true]) func joinedCallIsMutedAsCurrentOne(isMuted: Bool) {
        fixture.talk("1")
        fixture.keeper.setMuted(!isMuted)
        fixture.keeper.flash()
        fixture.talk("2")
        fixture.keeper.setMuted(isMuted)
        fixture.keeper.join()
        #expect(fixture.keeper.calls.map(\.isMuted) == [isMuted, isMuted])
        #expect(orders[0].last == (isMuted ? "mute" : "unmute"))
    }

    @Test func flashSeparatesJoinedCallsAndHangUpEndsBoth() {
        talkToTwo()
        fixture.keeper.join()
        fixture.keeper.flash()
        #expect(phases == [.connected, .held])
        fixture.keeper.join()
        fixture.keeper.hangUp()
        #expect(fixture.records.map(\.endReason) == [.hungUp, .hungUp])
        fixture.expectNothingLeft()
    }

    @Test func joinedCallContinuesAfterOtherEnds() {
        talkToTwo()
        fixture.keeper.join()
        fixture.line.calls[1].tell(.ended(.farEnd))
        #expect(phases == [.connected])
        #expect(fixture.keeper.current?.remote.number.text == "1")
        fixture.talk("3")
        fixture.keeper.join()
        fixture.keeper.hangUp(fixture.keeper.calls[0].id)
        #expect(fixture.keeper.calls.map(\.remote.number.text) == ["3"])
        #expect(phases == [.connected])
    }

    @Test func holdAppliesToBothJoinedCalls() {
        talkToTwo()
        fixture.keeper.join()
        fixture.keeper.setHeld(true)
        #expect(phases == [.held, .held])
        fixture.keeper.setHeld(false)
        #expect(phases == [.joined, .joined])
        fixture.keeper.setHeld(true)
        fixture.keeper.flash()
        #expect(phases == [.connected, .held], "FLASH takes one of them")
        fixture.keeper.setHeld(true)
        fixture.keeper.setHeld(false)
        #expect(phases == [.connected, .held])
    }

    @Test func callsStayUnchangedIfLineCannotJoin() {
        talkToTwo()
        fixture.line.calls[0].refusesHold = true
        fixture.keeper.join()
        #expect(phases == [.held, .connected])
        #expect(orders == [["hold", "join 2"], []])
    }

    @Test func transferredCallsEndAndRefusedTransferKeepsCall() {
        talkToTwo()
        #expect(fixture.keeper.canTransfer)
        fixture.keeper.transfer()
        #expect(orders[1] == ["transfer 1"])
        #expect(phases == [.held, .connected], "until the line says so")
        #expect(!fixture.keeper.canTransfer && transfers == [.pending, .pending])
        fixture.line.calls[1].tell(.transferRefused)
        #expect(fixture.keeper.canTransfer && transfers == [.failed, nil])
        fixture.keeper.transfer()
        #expect(orders[1] == ["transfer 1", "transfer 1"] && transfers == [.pending, .pending])
        for call in fixture.line.calls { call.tell(.ended(.transferred)) }
        #expect(fixture.records.map(\.endReason) == [.transferred, .transferred])
        fixture.expectNothingLeft()
    }

    @Test func callIsTransferredToPartyWithoutSecondCall() {
        fixture.line.rules = DialRules(prefix: "9")
        fixture.keeper.transfer(to: .two)
        fixture.talk("1")
        fixture.keeper.transfer(to: .two)
        #expect(orders == [[]], "the number is not asked for yet")
        fixture.keeper.prepareTransfer()
        #expect(phases == [.held] && fixture.keeper.isTakingNumber && fixture.keeper.canTransferBlind)
        #expect(fixture.heard == ["dial"])
        fixture.keeper.transfer(to: .two)
        #expect(orders == [["hold", "to 92"]], "the number is written as the line dials it")
        #expect(fixture.keeper.current?.transfer == .pending && !fixture.keeper.isTakingNumber)
        fixture.line.calls[0].tell(.transferRefused)
        #expect(fixture.keeper.current?.transfer == .failed)
        fixture.keeper.prepareTransfer()
        #expect(fixture.keeper.current?.transfer == nil && fixture.keeper.canTransferBlind)
        fixture.keeper.transfer(to: .two)
        fixture.line.calls[0].tell(.ended(.transferred))
        #expect(fixture.records.map(\.endReason) == [.transferred])
        fixture.expectNothingLeft()
    }

    @Test func callIsResumedAfterFailedTransfer() {
        fixture.talk("1")
        fixture.keeper.flash()
        fixture.keeper.transfer(to: .two)
        fixture.line.calls[0].tell(.transferRefused)
        fixture.keeper.flash()
        #expect(phases == [.connected] && fixture.keeper.current?.transfer == nil)
        fixture.keeper.prepareTransfer()
        #expect(fixture.keeper.isTakingNumber, "another party may be reached")
    }

    @Test(arguments: [CallEvent.ringing, .earlyMedia, nil])
    func callIsTransferredToPartyThatIsStillCalled(event: CallEvent?) {
        fixture.talk("1")
        fixture.keeper.flash()
        fixture.dial("2")
        if let event { fixture.line.calls[1].tell(event) }
        #expect(fixture.keeper.canTransfer)
        fixture.keeper.transfer()
        #expect(orders == [["hold", "to 2"], ["hang up"]])
        #expect(phases == [.held] && fixture.keeper.current?.transfer == .pending)
        fixture.line.calls[0].tell(.ended(.transferred))
        #expect(fixture.records.map(\.endReason) == [.hungUp, .transferred])
        fixture.expectNothingLeft()
    }

    @Test func waitingOrSecondCallPreventsTransferToParty() {
        fixture.talk("1")
        fixture.line.offer("2")
        fixture.keeper.prepareTransfer()
        #expect(phases == [.connected, .incoming])
        fixture.keeper.answer()
        fixture.keeper.prepareTransfer()
        fixture.keeper.transfer(to: .two)
        #expect(phases == [.held, .connected] && !fixture.keeper.canTransferBlind)
        #expect(orders == [["hold"], ["answer"]])
    }

    @Test func callsCannotBeJoinedOrTransferredWithoutLineSupport() {
        fixture.line.features = [.conversation, .hold]
        talkToTwo()
        #expect(!fixture.keeper.canJoin)
        #expect(!fixture.keeper.canTransfer)
        fixture.keeper.join()
        fixture.keeper.transfer()
        #expect(phases == [.held, .connected])
        #expect(orders == [["hold"], []])
    }

    @Test func loudspeakerChoiceLastsUntilLastCallEnds() {
        fixture.talk("1")
        #expect(fixture.keeper.current?.speaker == nil, "a call begins on the device for tones")
        fixture.keeper.setSpeaker("dock")
        #expect(fixture.keeper.current?.speaker == "dock")
        fixture.keeper.setMuted(true)
        fixture.keeper.setHeld(true)
        #expect(fixture.keeper.current?.speaker == "dock")
        #expect(fixture.keeper.calls.map(\.isMuted) == [true], "the choice changes nothing else")
        fixture.keeper.setSpeaker("headset")
        fixture.keeper.hangUp()
        #expect(fixture.keeper.current?.speaker == nil)
        #expect(fixture.tones.calls == "<on dock><on headset><on tones>")
        fixture.talk("2")
        #expect(fixture.keeper.current?.speaker == nil, "the choice has ended with the call")
        fixture.keeper.setSpeaker("dock")
        fixture.keeper.setSpeaker("dock")
        fixture.keeper.setSpeaker(nil)
        #expect(fixture.keeper.current?.speaker == nil)
        fixture.keeper.hangUp()
        fixture.keeper.setSpeaker("dock")
        #expect(fixture.keeper.current?.speaker == nil, "without a call there is nothing to hear")
        #expect(fixture.tones.calls == "<on dock><on headset><on tones><on dock><on tones>")
    }

    @Test func loudspeakerStaysOnWhileOneOfTwoCallsRemains() {
        talkToTwo()
        fixture.keeper.setSpeaker("dock")
        fixture.keeper.hangUp()
        #expect(phases == [.held])
        #expect(fixture.keeper.current?.speaker == "dock")
        fixture.talk("3")
        #expect(
            fixture.keeper.calls.map(\.speaker) == ["dock", "dock"],
            "the second call is heard where the first is")
        fixture.keeper.hangUp()
        fixture.keeper.hangUp()
        #expect(fixture.keeper.current?.speaker == nil)
    }

    @Test func observersAreNotifiedOfEachEndAndChange() {
        let owner = FakeTones()
        var told: [String] = []
        fixture.keeper.observe(by: owner) { change in
            switch change {
            case .calls: told.append("calls")
            case .ended(let record): told.append("\(record.remote.number.text) \(record.endReason)")
            }
        }
        fixture.talk("1")
        fixture.keeper.hangUp()
        #expect(told == ["calls", "calls", "1 hungUp", "calls"])
    }
}

extension RemoteParty {
    fileprivate static var two: RemoteParty { RemoteParty(DialledNumber("2") ?? DialledNumber()) }
}
