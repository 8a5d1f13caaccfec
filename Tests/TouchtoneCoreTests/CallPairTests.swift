// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Two calls at once: joined, taken apart, connected to one another; and the loudspeaker.
@Suite @MainActor struct CallPairTests {
    private let desk = CallDesk()

    /// One call waits, and the one that was dialled for it goes on.
    private func talkToTwo() {
        desk.talk("1")
        desk.keeper.flash()
        desk.talk("2")
    }

    private var phases: [CallPhase] { desk.keeper.calls.map(\.phase) }
    private var orders: [[String]] { desk.line.calls.map(\.orders) }

    @Test func joinedCallsAreBothHeardGetEveryKeyAndAreMutedTogether() {
        talkToTwo()
        #expect(desk.keeper.current?.remote.number.text == "2")
        #expect(desk.keeper.other?.remote.number.text == "1")
        #expect(desk.keeper.canJoin)
        desk.keeper.join()
        #expect(phases == [.joined, .joined])
        #expect(!desk.keeper.canJoin)
        #expect(orders == [["hold", "join 2"], []], "the line is told by the call that waited")
        desk.keeper.press(.five)
        desk.keeper.setMuted(true)
        #expect(desk.line.calls.map(\.keys) == ["5", "5"])
        #expect(desk.keeper.calls.map(\.digits) == ["5", "5"])
        #expect(desk.keeper.calls.map(\.isMuted) == [true, true])
    }

    @Test func flashTakesJoinedCallsApartAndHangUpEndsBoth() {
        talkToTwo()
        desk.keeper.join()
        desk.keeper.flash()
        #expect(phases == [.connected, .held])
        desk.keeper.join()
        desk.keeper.hangUp()
        #expect(desk.records.map(\.end) == [.hungUp, .hungUp])
        desk.expectNothingLeft()
    }

    @Test func theOtherGoesOnWhereOneOfTwoJoinedCallsIsOver() {
        talkToTwo()
        desk.keeper.join()
        desk.line.calls[1].tell(.ended(.farEnd))
        #expect(phases == [.connected])
        #expect(desk.keeper.current?.remote.number.text == "1")
        desk.talk("3")
        desk.keeper.join()
        desk.keeper.hangUp(desk.keeper.calls[0].id)
        #expect(desk.keeper.calls.map(\.remote.number.text) == ["3"])
        #expect(phases == [.connected])
    }

    @Test func holdPutsBothAsideAndBringsBothBack() {
        talkToTwo()
        desk.keeper.join()
        desk.keeper.setHeld(true)
        #expect(phases == [.held, .held])
        desk.keeper.setHeld(false)
        #expect(phases == [.joined, .joined])
        desk.keeper.setHeld(true)
        desk.keeper.flash()
        #expect(phases == [.connected, .held], "FLASH takes one of them")
        desk.keeper.setHeld(true)
        desk.keeper.setHeld(false)
        #expect(phases == [.connected, .held])
    }

    @Test func aLineThatCannotJoinLeavesTheCallsAsTheyWere() {
        talkToTwo()
        desk.line.calls[0].refusesHold = true
        desk.keeper.join()
        #expect(phases == [.held, .connected])
        #expect(orders == [["hold", "join 2"], []])
    }

    @Test func transferredCallsEndAndOneThatIsRefusedStays() {
        talkToTwo()
        #expect(desk.keeper.canTransfer)
        desk.keeper.transfer()
        #expect(orders[1] == ["transfer 1"])
        #expect(phases == [.held, .connected], "until the line says so")
        desk.line.calls[1].tell(.transferRefused)
        #expect(!desk.keeper.canTransfer)
        for call in desk.line.calls { call.tell(.ended(.transferred)) }
        #expect(desk.records.map(\.end) == [.transferred, .transferred])
        desk.expectNothingLeft()
    }

    @Test func callsOfALineThatHasNeitherCannotBeJoinedNorTransferred() {
        desk.line.features = [.conversation, .hold]
        talkToTwo()
        #expect(!desk.keeper.canJoin)
        #expect(!desk.keeper.canTransfer)
        desk.keeper.join()
        desk.keeper.transfer()
        #expect(phases == [.held, .connected])
        #expect(orders == [["hold"], []])
    }

    @Test func theLoudspeakerIsChosenForAsLongAsThereIsACall() {
        desk.talk("1")
        #expect(desk.keeper.current?.speaker == nil, "a call begins on the device for tones")
        desk.keeper.setSpeaker("dock")
        #expect(desk.keeper.current?.speaker == "dock")
        desk.keeper.setMuted(true)
        desk.keeper.setHeld(true)
        #expect(desk.keeper.current?.speaker == "dock")
        #expect(desk.keeper.calls.map(\.isMuted) == [true], "the choice changes nothing else")
        desk.keeper.setSpeaker("headset")
        desk.keeper.hangUp()
        #expect(desk.keeper.current?.speaker == nil)
        #expect(desk.tones.calls == "<on dock><on headset><on tones>")
        desk.talk("2")
        #expect(desk.keeper.current?.speaker == nil, "the choice has ended with the call")
        desk.keeper.setSpeaker("dock")
        desk.keeper.setSpeaker("dock")
        desk.keeper.setSpeaker(nil)
        #expect(desk.keeper.current?.speaker == nil)
        desk.keeper.hangUp()
        desk.keeper.setSpeaker("dock")
        #expect(desk.keeper.current?.speaker == nil, "without a call there is nothing to hear")
        #expect(desk.tones.calls == "<on dock><on headset><on tones><on dock><on tones>")
    }

    @Test func theLoudspeakerStaysWhileOneOfTwoCallsIsLeft() {
        talkToTwo()
        desk.keeper.setSpeaker("dock")
        desk.keeper.hangUp()
        #expect(phases == [.held])
        #expect(desk.keeper.current?.speaker == "dock")
        desk.talk("3")
        #expect(
            desk.keeper.calls.map(\.speaker) == ["dock", "dock"],
            "the second call is heard where the first is")
        desk.keeper.hangUp()
        desk.keeper.hangUp()
        #expect(desk.keeper.current?.speaker == nil)
    }

    @Test func followersAreToldOfEachEndAndOfEachChange() {
        let owner = FakeTones()
        var told: [String] = []
        desk.keeper.follow(owner) { change in
            switch change {
            case .calls: told.append("calls")
            case .ended(let record): told.append("\(record.remote.number.text) \(record.end)")
            }
        }
        desk.talk("1")
        desk.keeper.hangUp()
        #expect(told == ["calls", "calls", "1 hungUp", "calls"])
    }
}
