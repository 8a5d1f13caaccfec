// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Testing

@testable import TouchtoneCore

@Suite @MainActor struct PhoneNameTests {
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let phone: Phone
    private let lines: LineRegistry

    init() {
        line.features = [.conversation, .hold]
        phone = Phone(tones: FakeTones(), formatter: NumberFormatter(), clock: clock, line: line)
        lines = LineRegistry(fallback: line)
        phone.calls.acceptCalls(from: lines)
        phone.nameOf = { ["5558675309": "Grace Hopper", "5551234": "Ærøskøbing Æ"][$0.number.text] }
    }

    @Test func numberIsShownWhileTyping() {
        phone.paste("5558675309")
        #expect(phone.displayText == "(555) 867-5309")
    }

    @Test func remotePartyIsShownByName() {
        phone.paste("5558675309")
        phone.dial()
        #expect(phone.displayText == "GRACE  HOPPER" && phone.status == .dialling)
        line.calls.last?.tell(.answered)
        #expect(phone.displayText == "GRACE  HOPPER" && phone.status.text == "0:00")
        #expect(phone.copy() == "(555) 867-5309")
        phone.hangUp()
        #expect(phone.displayText == "(555) 867-5309")
        phone.clear()
        phone.redial()
        #expect(phone.displayText == "(555) 867-5309" && phone.number.text == "5558675309")
    }

    @Test func secondNumberStartsWithEmptyDisplay() {
        phone.paste("5558675309")
        phone.dial()
        line.calls.last?.tell(.answered)
        phone.calls.flash()
        #expect(phone.displayText.isEmpty && phone.status == .held)
        phone.press(.tone(.zero), by: .pointer)
        phone.release(by: .pointer)
        clock.advance(by: .seconds(21))
        #expect(phone.displayText == "0", "it stays when the dial tone ends")
        phone.calls.flash()
        #expect(phone.displayText == "GRACE  HOPPER")
    }

    @Test func callerIsShownByNameAndStatusHasNumber() {
        line.offer("5558675309")
        #expect(
            phone.displayText == "GRACE  HOPPER" && phone.status.text == "CALL FROM (555) 867-5309".prefix(24)
        )
        phone.calls.decline()
        #expect(phone.displayText.isEmpty)
    }

    @Test func callerIsNamedBesideTypedNumber() {
        phone.paste("110")
        line.offer("5558675309")
        #expect(phone.displayText == "110" && phone.status.text == "CALL FROM GRACE HOPPER")
        line.calls.last?.tell(.ended(.farEnd))
        #expect(phone.status.text == "MISSED FROM GRACE HOPPER")
    }

    @Test func nameFromCallYieldsToContactName() {
        line.offer("5550199", displayName: "Amazing Grace")
        #expect(phone.displayText == "AMAZING  GRACE" && phone.status.text == "CALL FROM 555-0199")
        phone.calls.decline()
        line.offer("5558675309", displayName: "Somebody Else")
        #expect(phone.displayText == "GRACE  HOPPER")
        phone.calls.decline()
        line.offer("", address: "sip:ada@example.org", displayName: "Ada")
        #expect(phone.displayText == "ADA", "a caller need not have a number")
        #expect(phone.copy().isEmpty)
    }

    @Test func contactKnownLaterIsNamedThen() {
        var name: String?
        phone.nameOf = { _ in name }
        line.offer("5551234")
        var changes: [Phone.Change] = []
        phone.observe(by: line) { changes.append($0) }
        #expect(phone.displayText == "555-1234")
        name = "Ada"
        phone.namesChanged()
        #expect(phone.displayText == "ADA" && phone.status.text == "CALL FROM 555-1234")
        #expect(changes == [[.display, .calls]])
        _ = phone.copy()
        phone.namesChanged()
        #expect(phone.status == .copied, "what was said since stays")
    }

    @Test(arguments: [
        ("Grace Hopper", "GRACE  HOPPER"), ("Édith Ærø-Straße", "EDITH  AERO-STRASSE"),
        ("  a \t b ", "A  B"), ("O’Brien", "OBRIEN"), ("a\u{202E}b\u{200B}", "AB"), ("日本 Taro", nil),
        ("Ελένη", nil), ("", nil), (" ", nil), ("🙂", nil),
        ("Grace Brewster Murray Hopper", "GRACE  BREWSTER"),
        ("Jo Wolfeschlegelsteinhausen", "JO  WOLFESCHLEGELSTE"),
        ("Wolfeschlegelsteinhausen Jo", "WOLFESCHLEGELSTEINHA"),
        ("Wolfeschlegelsteinhn n", "WOLFESCHLEGELSTEINHN"),
        (String(repeating: "x", count: 100_000), String(repeating: "X", count: 20)),
    ])
    func nameIsReducedToSegmentCharacters(_ name: String, _ shown: String?) {
        #expect(SegmentText.name(name) == shown)
    }

    @Test(arguments: ["Grace Brewster Murray Hopper", "Al", "日本", "x y z x y z x y z x y z"])
    func longNameFitsStatus(_ name: String) {
        phone.nameOf = { _ in name }
        phone.paste("110")
        line.offer("5551234")
        #expect(phone.status.text.count <= PhoneStatus.maximumTextLength)
        line.calls.last?.tell(.ended(.farEnd))
        #expect(phone.status.text.count <= PhoneStatus.maximumTextLength)
    }
}
