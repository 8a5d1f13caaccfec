// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the last dialled number, as an earlier run has left it in the history.
@MainActor
@Suite struct RecallTests {
    private let fixture = CallHistoryFixture()
    private let line = FakeLine()
    private let phone: Phone

    init() {
        phone = Phone(tones: FakeTones(), formatter: NumberFormatter(), clock: ManualScheduler(), line: line)
        let history = fixture.history
        phone.findLastDialled = { await history.lastDialled() }
    }

    private func fill() {
        fixture.store.fill([
            CallHistoryFixture.call("5551234"), CallHistoryFixture.call("5558675309"),
            CallHistoryFixture.call("5550104", .incoming), CallHistoryFixture.missed("5550104"),
            CallHistoryFixture.call(""),
        ])
    }

    @Test func redialRecallsNewestDialledNumber() async {
        fill()
        phone.redial()
        await fixture.settle()
        #expect(phone.displayText == "(555) 867-5309")
        #expect(phone.number.text == "5558675309")
        #expect(phone.status == .redial)
        #expect(line.dialled == [], "nothing is dialled yet")
        phone.dial()
        #expect(line.dialled == ["5558675309"])
    }

    @Test func dialOnEmptyDisplayRecallsAndSecondDialCalls() async {
        fill()
        phone.dial()
        phone.dial()
        await fixture.settle()
        #expect(phone.number.text == "5558675309")
        #expect(line.dialled == [])
        phone.dial()
        #expect(line.dialled == ["5558675309"])
    }

    @Test func addressOfEarlierRunIsRecalled() async {
        fill()
        let remote = RemoteParty(ChatAddress("ada@example.org"))
        fixture.store.fill([
            PastCall(
                direction: .outgoing, remote: remote, line: "jabber", began: ChatTime(milliseconds: 9),
                endReason: .hungUp, seconds: nil)
        ])
        phone.redial()
        await fixture.settle()
        #expect(phone.address == .jabber(ChatAddress("ada@example.org")) && phone.status == .redial)
        #expect(phone.number.isEmpty && line.dialled == [], "nothing is called yet")
        phone.paste("5551234")
        phone.dial()
        phone.redial()
        #expect(phone.number.text == "5551234", "a number that was dialled since is the last one")
    }

    @Test func redialReplacesDisplayedNumber() async {
        fill()
        phone.paste("7")
        phone.redial()
        await fixture.settle()
        #expect(phone.number.text == "5558675309")
    }

    @Test func recallNotifiesObservers() async {
        fill()
        phone.redial()
        var changes: Phone.Change = []
        phone.observe(by: line) { changes.formUnion($0) }
        await fixture.settle()
        #expect(changes == [.display, .status])
    }

    @Test func emptyHistoryRecallsNothing() async {
        phone.dial()
        await fixture.settle()
        #expect(phone.number.isEmpty)
        #expect(phone.status == .enterNumber)
        fixture.store.fill([CallHistoryFixture.missed("5550104")])
        phone.redial()
        await fixture.settle()
        #expect(phone.status == .enterNumber)
    }

    @Test func unreadableHistoryRecallsNothing() async {
        fill()
        fixture.store.trouble = .failed("the disk is gone")
        phone.redial()
        await fixture.settle()
        #expect(phone.status == .enterNumber)
        #expect(fixture.history.health.error(of: .calls) != nil)
    }

    @Test func numberDialledInThisRunIsRecalled() async {
        fill()
        phone.paste("42")
        phone.dial()
        line.answer(.noTelHandler)
        phone.clear()
        phone.redial()
        #expect(phone.number.text == "42")
        await fixture.settle()
        #expect(phone.number.text == "42")
    }

    @Test func typingDuringRecallKeepsTypedNumber() async {
        fill()
        fixture.store.isHeld = true
        phone.dial()
        phone.press(.tone(.one), by: .pointer)
        phone.release(by: .pointer)
        fixture.store.isHeld = false
        await fixture.settle()
        #expect(phone.number.text == "1")
        #expect(phone.status == .ready)
        phone.redial()
        #expect(phone.number.text == "5558675309", "it is known by now")
    }

    @Test func callDuringRecallKeepsDisplay() async {
        fill()
        let lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        fixture.store.isHeld = true
        phone.dial()
        withExtendedLifetime(lines) { line.offer("5550104") }
        fixture.store.isHeld = false
        await fixture.settle()
        #expect(phone.number.isEmpty)
        #expect(phone.displayText == "555-0104")
    }
}
