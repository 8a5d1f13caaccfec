// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

/// Tests of calls that another phone of the user has.
@Suite @MainActor struct PhoneCallTests {
    private let fixture = CallManagerFixture()
    private let mobile = FakeLine(id: "mobile")
    private let lines: LineRegistry
    private var calls: CallManager { fixture.keeper }
    private var states: [CallState] { calls.calls.map(\.state) }

    init() {
        lines = LineRegistry(fallback: fixture.line)
        mobile.features = [.conversation, .hold, .join, .onPhone]
        mobile.isMobile = true
        lines.add(mobile)
        calls.acceptCalls(from: lines)
    }

    private func dial(_ number: String, on line: FakeLine) -> Bool {
        calls.dial(RemoteParty(DialledNumber(number) ?? DialledNumber()), on: line)
    }

    @Test func callBegunOnThePhoneIsShown() {
        mobile.appear("5550123")
        #expect(states == [.dialling])
        mobile.calls[0].tell(.ringing)
        mobile.calls[0].tell(.answered)
        #expect(states == [.connected])
        #expect(mobile.calls[0].orders == [])
        mobile.calls[0].tell(.ended(.farEnd))
        #expect(fixture.records.map(\.direction) == [.outgoing])
    }

    @Test func callForWhichThereIsNoRoomIsLeftToThePhone() {
        #expect(dial("1", on: mobile))
        for number in 2...CallManager.capacity + 1 { mobile.appear("\(number)") }
        #expect(calls.calls.count == CallManager.capacity)
        #expect(mobile.calls.last?.orders == [])
    }

    @Test func callAnsweredOnThePhoneIsConnected() {
        mobile.offer("1")
        mobile.calls[0].tell(.onPhone(.connected))
        #expect(states == [.connected])
        #expect(fixture.heard == [])
        #expect(mobile.calls[0].orders == [])
    }

    @Test func callOnAnotherLineIsHeldMeanwhile() {
        fixture.talk("1")
        mobile.offer("2")
        mobile.calls[0].tell(.onPhone(.connected))
        #expect(states == [.held, .connected])
        #expect(fixture.line.calls[0].orders == ["hold"])
    }

    @Test func phoneSwapsAndJoinsItsCalls() {
        #expect(dial("1", on: mobile))
        mobile.calls[0].tell(.answered)
        #expect(dial("2", on: mobile))
        mobile.calls[1].tell(.answered)
        #expect(states == [.held, .connected])
        mobile.calls[1].tell(.onPhone(.held))
        mobile.calls[0].tell(.onPhone(.connected))
        #expect(states == [.connected, .held])
        mobile.calls[1].tell(.onPhone(.joined))
        #expect(states == [.joined, .joined])
        mobile.calls[0].tell(.onPhone(.joined))
        #expect(states == [.joined, .joined])
        mobile.calls[1].tell(.ended(.farEnd))
        #expect(states == [.connected])
        #expect(mobile.calls.map(\.orders) == [["hold"], []])
    }

    @Test func callIsHeldForAnotherOfItsPhoneOnly() throws {
        #expect(dial("1", on: mobile))
        mobile.calls[0].tell(.answered)
        #expect(!calls.canFlash)
        #expect(!calls.canHoldCurrent)
        calls.setHeld(true)
        calls.flash()
        #expect(!dial("2", on: fixture.line))
        #expect(states == [.connected])
        let id = calls.calls[0].id
        #expect(throws: CallManager.Refusal.impossible) { try calls.holdCall(id) }
        #expect(dial("2", on: mobile))
        #expect(mobile.calls[0].orders == ["hold"])
        mobile.calls[1].tell(.answered)
        #expect(calls.canFlash)
        calls.flash()
        #expect(states == [.connected, .held])
    }

    @Test func callOfAnotherLineEndsTheCallOnThePhone() {
        #expect(dial("1", on: mobile))
        mobile.calls[0].tell(.answered)
        fixture.line.offer("2")
        calls.answer()
        #expect(mobile.calls[0].orders == ["hang up"])
        #expect(states == [.connected])
    }

    @Test func callsOfDifferentPhonesAreNotJoined() {
        fixture.talk("1")
        #expect(dial("2", on: mobile))
        mobile.calls[0].tell(.answered)
        #expect(states == [.held, .connected])
        #expect(!calls.canJoin)
    }

    @Test func microphoneOfThePhoneIsNotMuted() {
        #expect(dial("1", on: mobile))
        mobile.calls[0].tell(.answered)
        calls.setMuted(true)
        let id = calls.calls[0].id
        #expect(throws: CallManager.Refusal.impossible) { try calls.setMuted(true, id) }
        #expect(calls.current?.isMuted == false)
    }

    @Test func callStaysOnThePhoneWhenTheProgramEnds() {
        #expect(dial("1", on: mobile))
        mobile.calls[0].tell(.answered)
        calls.hangUpAll()
        #expect(calls.calls.isEmpty)
        #expect(mobile.calls[0].orders == [])
        #expect(fixture.records.map(\.endReason) == [.transferred])
    }

    @Test func mobileIsUsedIfChosenAndFirstForHelp() {
        let tel = FakeLine(id: "tel")
        lines.add(tel)
        #expect(lines.lines.map(\.id) == ["mobile", "tel", "fake"])
        #expect(LineChooser.line(of: lines, setting: "") === tel)
        #expect(LineChooser.line(of: lines, setting: "mobile") === mobile)
        let account = FakeLine(id: "work")
        lines.accounts = [account]
        #expect(LineChooser.lineForHelp(of: lines, chosen: account) === mobile)
        mobile.state = .unavailable(reason: "gone")
        #expect(LineChooser.lineForHelp(of: lines, chosen: account) === account)
    }
}
