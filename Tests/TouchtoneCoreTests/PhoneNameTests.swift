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
        #expect(phone.displayText == "GRACE HOPPER" && phone.status == .dialling)
        line.calls.last?.tell(.answered)
        #expect(phone.displayText == "GRACE HOPPER" && phone.status.text == "0:00")
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
        #expect(phone.displayText == "GRACE HOPPER")
    }

    @Test func callerIsShownByNameWithNumberInCaption() {
        line.offer("5558675309")
        #expect(phone.displayText == "GRACE HOPPER" && phone.displaysWords)
        #expect(phone.caption == "(555) 867-5309" && phone.status.text == "CALL ON FAKE")
        phone.calls.decline()
        #expect(phone.displayText.isEmpty && phone.caption.isEmpty && !phone.displaysWords)
    }

    @Test func callerReplacesTypedNumberUntilCallEnds() {
        phone.paste("110")
        line.offer("5558675309")
        #expect(phone.displayText == "GRACE HOPPER" && phone.dialKey == .answer)
        for key in [KeypadKey.tone(.seven), .delete] {
            phone.press(key, by: .pointer)
            phone.release(by: .pointer)
        }
        #expect(phone.displayText == "GRACE HOPPER" && phone.number.text == "110")
        line.calls.last?.tell(.ended(.farEnd))
        #expect(phone.status.text == "MISSED FROM GRACE HOPPER" && phone.displayText == "110")
        phone.press(.tone(.one), by: .pointer)
        #expect(phone.displayText == "110-1")
    }

    @Test(arguments: [
        ("", "Amazing Grace", "", "555-0199", "\"AMAZING GRACE\"", false),
        ("", "", "", "555-0199", "UNKNOWN CALLER", false),
        ("Grace Hopper", "Somebody Else", "", "GRACE HOPPER", "555-0199", true),
        ("Грейс Хоппер", "", "", "Грейс Хоппер", "555-0199", true),
        ("Zoë", "", "", "Zoë", "555-0199", true), ("\u{202E}", "", "", "555-0199", "UNKNOWN CALLER", false),
    ])
    func callerWithNumber(
        _ contact: String, _ ownName: String, _ address: String, _ shown: String, _ caption: String,
        _ areWords: Bool
    ) {
        phone.nameOf = { _ in contact.isEmpty ? nil : contact }
        line.offer("5550199", address: address, displayName: ownName)
        #expect(phone.displayText == shown && phone.caption == caption && phone.displaysWords == areWords)
    }

    @Test(arguments: [
        ("Ada", "sip:ada@example.org", "\"ADA\"", "ADA@EXAMPLE.ORG"),
        ("", "sip:ada@example.org", "ADA@EXAMPLE.ORG", ""), ("", "", "UNKNOWN CALLER", ""),
        ("Ada", "", "\"ADA\"", ""), (" \u{200B}", "", "UNKNOWN CALLER", ""),
    ])
    func callerWithoutNumber(_ ownName: String, _ address: String, _ shown: String, _ caption: String) {
        line.offer("", address: address, displayName: ownName)
        #expect(phone.displayText == shown && phone.caption == caption && phone.displaysWords)
        #expect(phone.copy().isEmpty)
    }

    @Test func secondCallerIsNamedInStatus() {
        phone.paste("5551234")
        phone.dial()
        line.calls.last?.tell(.answered)
        line.offer("5558675309")
        #expect(phone.displayText == "Ærøskøbing Æ" && phone.caption == "555-1234")
        #expect(phone.status.text == "CALL FROM GRACE HOPPER" && phone.dialKey == .hangUp)
    }

    @Test func callerIsShownAboveAnswerWhileAnotherCallIsBusy() {
        phone.paste("5551234")
        phone.dial()
        line.calls.last?.tell(.ended(.busy))
        line.offer("5558675309")
        #expect(phone.dialKey == .answer && phone.displayText == "GRACE HOPPER")
    }

    @Test func captionSaysWhatToDoNext() {
        phone.paste("5558675309")
        phone.dial()
        line.calls.last?.tell(.answered)
        phone.calls.flash()
        #expect(phone.displayText.isEmpty && phone.caption == "SECOND NUMBER?")
        phone.press(.tone(.zero), by: .pointer)
        phone.release(by: .pointer)
        #expect(phone.caption.isEmpty)
        phone.hangUp()
        phone.clear()
        phone.paste("42")
        phone.dial()
        line.calls.last?.tell(.ended(.noSuchNumber))
        #expect(phone.caption == "CHECK NUMBER")
    }

    @Test func captionNamesOwnerOfNumberThatWasNotTyped() {
        phone.paste("5558675309")
        #expect(phone.displayText == "(555) 867-5309" && phone.caption == "GRACE HOPPER")
        phone.press(.tone(.one), by: .pointer)
        phone.release(by: .pointer)
        #expect(phone.caption.isEmpty)
        phone.paste("110")
        #expect(phone.caption.isEmpty)
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
        #expect(phone.displayText == "ADA" && phone.caption == "555-1234")
        #expect(changes == [[.display, .calls, .caption]])
        _ = phone.copy()
        phone.namesChanged()
        #expect(phone.status == .copied, "what was said since stays")
    }

    @Test(arguments: [
        ("Grace Hopper", "GRACE HOPPER"), ("Édith Ærø-Straße", "Édith Ærø-Straße"),
        ("  a \t b ", "A B"), ("O’Brien – “Bob”…", "O'BRIEN - \"BOB\"..."), ("a\u{202E}b\u{200B}", "AB"),
        ("日本 Taro", "日本 Taro"), ("Ελένη", "Ελένη"), ("", ""), (" ", ""), ("\u{202E}", ""), ("🙂", "🙂"),
        ("a\nb\u{0}", "a b␀"),
        (String(repeating: "x", count: 100_000), String(repeating: "X", count: 80) + "..."),
    ])
    func nameIsWrittenInOneLine(_ name: String, _ shown: String) {
        #expect(DisplayName.text(name) == shown)
    }

    @Test(arguments: ["Grace Brewster Murray Hopper", "Al", "日本", "x y z x y z x y z x y z"])
    func longNameFitsStatus(_ name: String) {
        phone.nameOf = { _ in name }
        phone.paste("110")
        line.offer("5551234")
        line.calls.last?.tell(.ended(.farEnd))
        #expect(phone.status.text.count <= PhoneStatus.maximumTextLength)
    }
}
