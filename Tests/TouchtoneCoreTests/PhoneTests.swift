// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import Testing
import TouchtoneCore

@Suite @MainActor struct PhoneTests {
    private let tones = FakeTones()
    private let clock = ManualScheduler()
    private let line = FakeLine()
    private let phone: Phone

    init() { phone = Phone(tones: tones, formatter: NumberFormatter(), clock: clock, line: line) }

    private func type(_ text: String) {
        for character in text {
            let key: KeypadKey? = character == "+" ? .plus : DTMFKey(character).map { .tone($0) }
            if let key { tap(key) }
        }
    }

    private func tap(_ key: KeypadKey) {
        phone.press(key, by: .pointer)
        phone.release(by: .pointer)
    }

    @Test func lineThatCannotCallIsToldInPlaceOfReady() {
        #expect(phone.statusText == "READY")
        line.state = .unavailable(reason: "The password is wrong.")
        phone.lineStateChanged()
        #expect(phone.statusText == "NO LINE" && phone.status == .ready)
        line.state = .connecting
        #expect(phone.statusText == "READY", "a call that is dialled now waits for the line")
        line.state = .unavailable(reason: "")
        phone.missedCalls = 2
        #expect(phone.statusText == "2 MISSED")
        phone.missedCalls = 0
        type("5")
        #expect(phone.statusText == "NO LINE")
        phone.fill(DialledNumber("5551234") ?? DialledNumber(), name: "Grace")
        #expect(phone.statusText == "NO LINE" && phone.caption == "GRACE")
        phone.soundNotice(.deviceLost(.tones))
        #expect(phone.statusText == "NO SOUND")
    }

    // MARK: Keys

    @Test func pressIsSeenAndHeardAtOnce() {
        phone.press(.tone(.five), by: .pointer)
        #expect(phone.displayText == "5")
        #expect(tones.calls == "5")
        #expect(phone.keysDown == [.tone(.five)])
        phone.release(by: .pointer)
        #expect(tones.calls == "5.")
        #expect(phone.keysDown.isEmpty)
    }

    @Test func displayIsFormattedWhileTypingAndDeleting() {
        let shown = [
            "", "5", "55", "555", "555-8", "555-86", "555-867", "555-8675", "(555) 867-53", "(555) 867-530",
            "(555) 867-5309", "55586753091",
        ]
        for (digit, text) in zip("55586753091", shown.dropFirst()) {
            type(String(digit))
            #expect(phone.displayText == text)
        }
        for text in shown.reversed().dropFirst() {
            tap(.delete)
            #expect(phone.displayText == text)
        }
    }

    @Test(arguments: [true, false]) func newNumberEndsToneOfLastCall(_ isLink: Bool) {
        line.features = [.conversation]
        phone.paste("5550100")
        phone.dial()
        line.answer(.busy)
        #expect(phone.status == .notReached(.busy) && phone.dialKey == .hangUp)
        if isLink { phone.open(link: "tel:5551234") } else { phone.paste("5551234") }
        #expect(phone.calls.calls.isEmpty)
        #expect(phone.status == .ready && phone.dialKey == .dial)
        #expect(phone.displayText == "555-1234")
        phone.dial()
        #expect(line.dialled == ["5550100", "5551234"])
    }

    @Test func invalidInputKeepsTone() {
        line.features = [.conversation]
        phone.paste("5550100")
        phone.dial()
        line.answer(.busy)
        phone.paste("¿?")
        #expect(phone.dialKey == .hangUp)
    }

    @Test func newNumberKeepsCall() {
        line.features = [.conversation]
        phone.paste("5550100")
        phone.dial()
        line.calls[0].tell(.answered)
        phone.paste("5551234")
        #expect(phone.dialKey == .hangUp && phone.displayText == "555-0100")
    }

    @Test func keyInCallLastsAsLongAsItIsHeld() {
        line.features = [.conversation]
        phone.paste("5550100")
        phone.dial()
        let call = line.calls[0]
        call.tell(.answered)
        phone.press(.tone(.five), by: .pointer)
        #expect(call.presses == "5" && tones.calls.last == "5")
        phone.release(by: .pointer)
        #expect(call.presses == "5-")
        phone.press(.tone(.one), by: .pointer)
        phone.press(.tone(.two), by: .touch(sequence: 1))
        phone.release(by: .touch(sequence: 1))
        phone.release(by: .pointer)
        #expect(call.presses == "5-1-2-" && call.keys == "512")
        phone.press(.tone(.three), by: .accessibility)
        #expect(call.presses == "5-1-2-3-")
    }

    @Test func deletingNothingDoesNothing() {
        var changes: [Phone.Change] = []
        phone.observe(by: line) { changes.append($0) }
        phone.press(.delete, by: .pointer)
        phone.release(by: .pointer)
        #expect(changes == [.keys, .keys])
        #expect(phone.status == .ready)
        #expect(tones.calls == "")
    }

    @Test func fortyFirstKeyIsRefusedAndReported() {
        type(String(repeating: "1", count: 40))
        #expect(phone.status == .ready)
        type("2")
        #expect(phone.status == .full)
        #expect(phone.displayText == String(repeating: "1", count: 40))
        tap(.delete)
        #expect(phone.status == .ready)
    }

    @Test func heldZeroBecomesPlus() {
        phone.press(.tone(.zero), by: .pointer)
        #expect(clock.pending == 1)
        clock.advance(by: .milliseconds(499))
        #expect(phone.displayText == "0")
        clock.advance(by: .milliseconds(1))
        #expect(phone.displayText == "+")
        #expect(clock.pending == 0)
        phone.release(by: .pointer)
        type("0")
        phone.press(.tone(.zero), by: .pointer)
        clock.advance(by: .seconds(1))
        #expect(phone.displayText == "+00")
    }

    @Test func tappedZeroLeavesNoTimer() {
        type("0")
        #expect(clock.pending == 0)
        clock.advance(by: .seconds(1))
        #expect(phone.displayText == "0")
    }

    @Test func heldDeleteClears() {
        type("5551234")
        phone.press(.delete, by: .keyboard(code: 22))
        #expect(phone.displayText == "555-123")
        clock.advance(by: .milliseconds(500))
        #expect(phone.displayText == "")
    }

    @Test func heldKeyDoesNotChangeNewNumber() {
        for key in [KeypadKey.tone(.zero), .delete] {
            phone.press(key, by: .pointer)
            phone.paste("0")
            clock.advance(by: .seconds(1))
            #expect(phone.displayText == "0")
            #expect(clock.pending == 0)
            phone.releaseAll()
        }
    }

    @Test func focusOrKeyLossEndsTone() {
        phone.press(.tone(.one), by: .pointer)
        phone.releaseAll()
        #expect(tones.calls == "1.")
        phone.press(.tone(.two), by: .pointer)
        phone.keyGone(.tone(.two))
        #expect(tones.calls == "1.2.")
    }

    @Test func windowIsNotifiedOncePerEvent() {
        var changes: [Phone.Change] = []
        phone.observe(by: line) { changes.append($0) }
        phone.press(.tone(.five), by: .pointer)
        phone.press(.tone(.five), by: .pointer)
        phone.paste("")
        phone.paste("")
        #expect(changes == [[.display, .keys], [.status]])
    }

    // MARK: Pasting, links, copying

    @Test func pasteReplacesNumber() {
        type("12")
        phone.paste("1-800-FLOWERS\n")
        #expect(phone.number.text == "18003569377")
        #expect(phone.status == .ready)
    }

    @Test func pasteWithoutNumberIsReportedAndChangesNothing() {
        type("12")
        for (text, status) in [
            ("hello", PhoneStatus.noNumber), (nil, .noNumber), (String(repeating: "5", count: 41), .tooLong),
        ] {
            phone.paste(text)
            #expect(phone.status == status)
            #expect(phone.number.text == "12")
            type("3")
            #expect(phone.status == .ready)
            tap(.delete)
        }
    }

    @Test func linkFillsDisplayAndWaits() async {
        phone.open(link: "tel:+15558675309")
        #expect(phone.number.text == "+15558675309")
        await Task.yield()
        #expect(line.dialled.isEmpty)
        #expect(phone.calls.current?.state != .dialling)
    }

    @Test(arguments: [
        ("http://x", PhoneStatus.linkRefused), ("tel:%", .linkRefused), ("tel:x", .noNumber),
        ("tel:" + String(repeating: "1", count: 41), .tooLong),
    ])
    func badLinkIsReportedAndChangesNothing(_ link: String, status: PhoneStatus) {
        type("12")
        phone.open(link: link)
        #expect(phone.status == status)
        #expect(phone.number.text == "12")
    }

    @Test func copiesNumberAsDisplayed() {
        #expect(phone.copy() == "")
        #expect(phone.status == .noNumber)
        type("5551234")
        #expect(phone.copy() == "555-1234")
        #expect(phone.status == .copied)
    }

    @Test func commandClearsDisplay() {
        type("5551234")
        phone.clear()
        #expect(phone.number.isEmpty)
        #expect(phone.status == .ready)
    }

    @Test func formatCanChangeAtAnyTime() {
        type("5551234")
        phone.format = .regional(region: "US")
        #expect(phone.displayText == "5551234")
        phone.format = .classic
        #expect(phone.displayText == "555-1234")
    }

    // MARK: Dialling

    @Test func dialSendsNumberToLineAndNamesApp() {
        type("5558675309")
        tap(.dial)
        #expect(phone.status == .dialling)
        line.answer(.handedOver(to: "Calls"))
        #expect(line.dialled == ["5558675309"])
        #expect(phone.status.text == "SENT TO CALLS")
        #expect(phone.displayText == "(555) 867-5309")
        type("1")
        #expect(phone.number.text == "1")
        #expect(phone.status == .ready)
    }

    @Test(arguments: [
        (CallEndReason.noTelHandler, "NO TEL: APP"),
        (.handlerFailed(name: "gnome-calls", reason: "no such file"), "FAILED: GNOME-CALLS"),
    ])
    func refusalOfLineIsReported(_ error: CallEndReason, text: String) {
        phone.paste("555")
        phone.dial()
        line.answer(error)
        #expect(phone.status.text == text)
        #expect(phone.lastDialled?.text == "555")
    }

    @Test func secondDialWaitsForFirst() {
        type("1")
        phone.dial()
        type("2")
        #expect(phone.status == .dialling)
        phone.dial()
        line.answer(.handedOver(to: ""))
        #expect(line.dialled == ["1"])
        #expect(phone.status.text == "SENT")
        phone.dial()
        line.answer(.noTelHandler)
        #expect(line.dialled == ["1", "2"])
    }

    @Test func dialOnEmptyDisplayRecallsLastNumberWithoutDialling() {
        tap(.dial)
        #expect(phone.status.text == "ENTER A NUMBER")
        type("42")
        phone.dial()
        line.answer(.noTelHandler)
        phone.clear()
        tap(.dial)
        #expect(phone.number.text == "42")
        #expect(phone.status == .redial)
        #expect(phone.calls.current?.state != .dialling)
        tap(.dial)
        #expect(phone.calls.current?.state == .dialling)
        line.answer(.noTelHandler)
        #expect(line.dialled == ["42", "42"])
    }

    @Test func redialReplacesNumber() {
        phone.redial()
        #expect(phone.status == .enterNumber)
        type("42")
        phone.dial()
        line.answer(.noTelHandler)
        type("7")
        phone.redial()
        #expect(phone.number.text == "42")
        #expect(line.dialled == ["42"])
    }

    @Test func lonePlusIsNotDialled() {
        type("+")
        tap(.dial)
        #expect(phone.status == .noNumber)
        #expect(phone.calls.current?.state != .dialling)
    }

    @Test func soundNoticeStaysUntilNextKey() {
        for (notice, text) in [
            (ToneNotice.deviceLost(.tones), "NO SOUND"), (.deviceFound(.ringer), "SOUND OK"),
            (.deviceLost(.ringer), "NO RINGER"),
            (.toneSetIncomplete([.one]), "TONE SET INCOMPLETE"),
            (.tonePlanMissing, "TONE PLAN NOT FOUND"),
        ] {
            phone.soundNotice(notice)
            #expect(phone.status.text == text)
            type("1")
            #expect(phone.status.text == "READY")
        }
    }

    @Test(arguments: [
        "Gnome Calls", "Ångström 📞 é", "  \n ", "ß", "Linphone Desktop X 4",
    ])
    func statusIsShortUpperCaseASCII(_ name: String) {
        for status in [PhoneStatus.sent(to: name), .handlerFailed(name: name)] {
            #expect(status.text.utf8.count <= PhoneStatus.maximumTextLength)
            #expect(status.text.utf8.allSatisfy { (0x20...0x5F).contains($0) })
            #expect(!status.text.hasSuffix(" "))
        }
    }

    // A parameter of this size would be written to the log.
    @Test func statusIsShortForAnyName() {
        statusIsShortUpperCaseASCII(String(repeating: "long ", count: 2_000_000))
    }

    @Test(arguments: Seeds.all)
    func displayShowsNumberAfterAnyKeys(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let keys = KeypadKey.rows.flatMap { $0 }.filter { $0 != .dial } + [.plus]
        for _ in 0..<500 {
            phone.press(keys[Int.random(in: keys.indices, using: &random)], by: .pointer)
            clock.advance(by: .milliseconds(Int.random(in: 0...600, using: &random)))
            if Bool.random(using: &random) { phone.release(by: .pointer) }
            #expect(phone.displayText.filter { !" -()".contains($0) } == phone.number.text)
        }
        phone.releaseAll()
        #expect(clock.pending == 0)
        #expect(tones.calls.hasSuffix("."))
    }
}
