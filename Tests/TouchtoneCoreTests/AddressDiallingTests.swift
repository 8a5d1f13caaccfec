// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

/// Tests of a SIP address on the display, which Dial calls on a line with an address.
@Suite @MainActor struct AddressDiallingTests {
    private let tones = FakeTones()
    private let line = FakeLine()
    private let account = FakeLine(id: "ada")
    private let phone: Phone

    init() {
        phone = Phone(tones: tones, formatter: NumberFormatter(), clock: ManualScheduler(), line: line)
        account.features = [.conversation]
    }

    @Test func linkIsFilledInAndWaits() {
        phone.lineForAddresses = { [account] in account }
        phone.paste("5551234")
        phone.open(link: "sips:Grace@Example.org;transport=udp?body=x")
        #expect(phone.displayText == "GRACE@EXAMPLE.ORG" && phone.number.isEmpty && account.calls.isEmpty)
        #expect(phone.copy() == "sips:Grace@example.org")
        phone.dial()
        #expect(account.calls.map(\.remote.address) == ["sips:Grace@example.org"] && line.calls.isEmpty)
        #expect(phone.displayText == "GRACE@EXAMPLE.ORG" && phone.dialKey == .hangUp)
        phone.hangUp()
        phone.clear()
        #expect(phone.displayText == "" && phone.address == nil)
        phone.dial()
        #expect(phone.displayText == "GRACE@EXAMPLE.ORG" && phone.status == .redial)
        phone.dial()
        #expect(account.calls.count == 2)
    }

    @Test func pastedAddressIsEntered() {
        phone.paste(" SIP:Grace@Example.org;transport=udp\n")
        #expect(phone.address?.text == "sip:Grace@example.org")
        phone.clear()
        phone.paste("grace@example.org")
        #expect(phone.address == nil, "no line can call it")
        phone.lineForAddresses = { [account] in account }
        phone.paste("grace@example.org")
        #expect(phone.address?.text == "sip:grace@example.org")
        for text in ["xmpp:grace@example.org", "555 1234 @home", "@", "grace @example.org", "\n"] {
            phone.clear()
            phone.paste(text)
            #expect(phone.address == nil, "\(text)")
        }
    }

    @Test(arguments: ["sip:5550199", "SIP://555-0199;user=phone", "sip:555%2D0199?x=y"])
    func numberWithoutHostIsDialledOnChosenAccount(_ link: String) throws {
        phone.open(link: try PhoneLink(link).text)
        #expect(phone.number.text == "5550199" && phone.address == nil, "without an account, it is a number")
        account.address = "sip:ada@example.org"
        phone.lineForAddresses = { [account] in account }
        phone.open(link: link)
        #expect(phone.address?.shown.hasSuffix("0199@example.org") == true, "another line is chosen")
        phone.line = account
        phone.paste(link)
        #expect(phone.number.text == "5550199" && phone.address == nil)
        #expect(account.calls.isEmpty && line.calls.isEmpty, "a link never dials")
    }

    @Test func userWithoutHostIsCompletedByAccount() throws {
        phone.open(link: "sip:grace")
        #expect(phone.status == .noSIPAccount && phone.address == nil)
        account.address = "sip:ada@example.org:5070"
        phone.lineForAddresses = { [account] in account }
        phone.open(link: try PhoneLink("sip:Grace").text)
        #expect(phone.address?.text == "sip:Grace@example.org:5070")
        phone.open(link: "sips:5550199")
        #expect(phone.address?.text == "sips:5550199@example.org:5070", "a number would not be secure")
        phone.open(link: "sip:112")
        #expect(phone.address == nil && phone.status == .emergencyNumber)
        for link in ["sip:", "sip:example.org", "sip:[::1]", "sip:a%0d%0ab", "sip:%", "sip:a b"] {
            phone.clear()
            phone.open(link: link)
            #expect(phone.address == nil && phone.number.isEmpty, "\(link)")
            #expect(throws: PhoneLink.Unreadable.self) { try PhoneLink(link) }
        }
    }

    @Test func keysReplaceAddress() throws {
        for key in [KeypadKey.tone(.five), .delete] {
            phone.enter(.sip(try SIPURI("sip:grace@example.org")))
            phone.press(key, by: .pointer)
            phone.release(by: .pointer)
            #expect(phone.address == nil && phone.displayText == (key == .delete ? "" : "5"))
        }
        phone.enter(.sip(try SIPURI("sip:grace@example.org")))
        phone.paste("555-1234")
        #expect(phone.displayText == "555-1234" && phone.address == nil)
    }

    @Test func addressNeedsAccount() throws {
        phone.enter(.sip(try SIPURI("sip:grace@example.org")))
        phone.dial()
        #expect(phone.statusText == "NO SIP ACCOUNT" && line.calls.isEmpty)
        phone.open(link: "sip:grace@exa mple.org")
        #expect(phone.statusText == "INVALID LINK" && phone.displayText == "GRACE@EXAMPLE.ORG")
    }

    @Test func callerWithoutNumberIsShownByAddress() {
        let lines = LineRegistry(fallback: line)
        lines.accounts = [account]
        phone.calls.acceptCalls(from: lines)
        account.offer("", address: "sip:grace@example.org")
        #expect(phone.displayText == "GRACE@EXAMPLE.ORG")
        #expect(phone.caption.isEmpty && phone.statusText.hasPrefix("CALL ON "))
    }
}

@Suite @MainActor struct AccountLineTests {
    private let ada = FakeLine(id: "ada")
    private let bob = FakeLine(id: "bob")
    private let tel = FakeLine(id: "tel")
    private let lines = LineRegistry(fallback: FakeLine(id: "practice"))

    init() {
        lines.add(tel)
        lines.accounts = [ada, bob]
    }

    private func chosen(_ setting: String = "") -> String { LineChooser(lines, setting: setting).chosen.id }

    @Test func accountsPrecedeAllOtherLines() {
        #expect(lines.lines.map(\.id) == ["ada", "bob", "tel", "practice"])
        #expect(chosen() == "ada")
        ada.state = .connecting
        #expect(chosen() == "ada", "registering again moves no call")
        ada.state = .unavailable(reason: "wrong password")
        #expect(chosen() == "bob" && chosen("ada") == "ada")
        bob.state = .connecting
        #expect(chosen() == "bob" && LineChooser.account(of: lines) === bob)
        // Nobody expects that a call for an account goes elsewhere.
        bob.state = .unavailable(reason: "no network")
        #expect(chosen() == "ada" && chosen("tel") == "tel")
        lines.accounts = []
        #expect(LineChooser.account(of: lines) == nil)
        #expect(chosen() == "tel" && chosen("ada") == "tel")
        #expect(ada.onEvent == nil && bob.onEvent == nil)
    }

    @Test func declinedCallerIsRecordedAsMissed() {
        let calls = CallManager(sounds: FakeTones(), clock: ManualScheduler())
        calls.acceptCalls(from: lines)
        var records: [CallRecord] = []
        calls.observe(by: ada) { if case .ended(let record) = $0 { records.append(record) } }
        ada.onEvent?(.declined(RemoteParty(DialledNumber(), address: String(repeating: "x", count: 5000))))
        #expect(records.map(\.endReason) == [.busy] && records[0].isMissed && records[0].line == "ada")
        #expect(records[0].remote.address.count == RemoteParty.maximumLength && calls.calls.isEmpty)
    }

    @Test func callAnsweredOnAnotherPhoneIsNotMissed() {
        let calls = CallManager(sounds: FakeTones(), clock: ManualScheduler())
        calls.acceptCalls(from: lines)
        ada.offer("1")
        ada.answer(.answeredElsewhere)
        #expect(calls.lastEnd?.isMissed == false && calls.calls.isEmpty)
        ada.offer("1")
        ada.answer(.farEnd)
        #expect(calls.lastEnd?.isMissed == true)
    }

    @Test func transferredCallShowsNewFarEnd() {
        let calls = CallManager(sounds: FakeTones(), clock: ManualScheduler())
        ada.features = [.conversation]
        calls.dial(RemoteParty(DialledNumber("1") ?? DialledNumber()), on: ada)
        ada.calls[0].tell(.answered)
        ada.calls[0].tell(
            .farEndChanged(RemoteParty(DialledNumber("2") ?? DialledNumber(), displayName: "Zoe")))
        #expect(calls.current?.remote.number.text == "2" && calls.current?.remote.displayName == "Zoe")
    }
}

@Suite @MainActor struct AcquaintanceTests {
    @Test func onlyConversationsAndDialledCallsMakeKnown() async {
        let fixture = CallHistoryFixture()
        func party(_ number: String = "", _ address: String = "") -> RemoteParty {
            RemoteParty(DialledNumber(number) ?? DialledNumber(), address: address)
        }
        func past(_ remote: RemoteParty, _ direction: Call.Direction, _ seconds: Int?) -> PastCall {
            PastCall(
                direction: direction, remote: remote, line: "ada", began: ChatTime(milliseconds: 1),
                endReason: .busy, seconds: seconds)
        }
        fixture.store.fill([
            past(party("5558675309"), .outgoing, nil), past(party("5550001111"), .incoming, nil),
            past(party("5550002222"), .incoming, 7), past(party("", "sip:Grace@Example.org"), .incoming, 7),
            past(party("", "sip:eve@example.org"), .incoming, nil),
            past(party("", "xmpp:bob%25x@example.org"), .outgoing, nil),
        ])
        for (remote, isKnown) in [
            (party("+15558675309"), true), (party("5550001111"), false), (party("5550002222"), true),
            (party("", "sips:grace@example.org"), true), (party("", "sip:eve@example.org"), false),
            (party("", "xmpp:Bob%25x@Example.org/phone"), true),
            (party("", "xmpp:ob%25x@example.org"), false),
            (party("", "sip:bob%25x@example.org"), false), (party("", "sip:race@example.org"), false),
            (party(), false), (party("309"), false),
        ] {
            #expect(await fixture.history.knows(remote) == isKnown, "\(remote)")
        }
    }
}
