// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of emergency calls in the window, on lines that only record.
final class EmergencyCallTests: GtkTestCase {
    func testLockScreenCallsEmergencyNumberByPointer() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let line = fixture.talkingLine()
            let places = ["5", "Delete"].map { fixture.place(of: $0) }
            fixture.tap("Emergency Call")
            XCTAssertEqual(fixture.seen.filter { $0 == "Emergency Call" }.count, 1, "the title says it")
            XCTAssertEqual(["5", "Delete"].map { fixture.place(of: $0) }, places, "no key moves")
            for digit in ["1", "1", "3"] { fixture.tap(digit) }
            XCTAssert(fixture.seen.contains("113"))
            XCTAssertEqual(fixture.shown("Call").map { gtk_widget_get_sensitive($0) }, 0)
            fixture.tap("Delete")
            fixture.tap("2")
            XCTAssert(fixture.seen.contains("This is an emergency number."))
            fixture.tap("Call")
            XCTAssertEqual(line.calls.map(\.remote.number.text), ["112"])
            XCTAssertNil(fixture.shown("Call"))
            XCTAssertEqual(fixture.row, "0 of 4 digits entered", "no digit was one of a passcode")
            XCTAssert(fixture.lock.isLocked)
            fixture.tap("Hang up")
            XCTAssertNotNil(fixture.shown("Emergency Call"))
            XCTAssertEqual(fixture.phone.number.text, "")
            fixture.clear()
        }
    }

    func testLockScreenCallsEmergencyNumberByKeyboard() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let line = fixture.talkingLine()
            fixture.type("91")
            XCTAssertEqual(fixture.row, "2 of 4 digits entered")
            guard let key = fixture.shown("Emergency Call") else { return XCTFail("no key") }
            gtk_widget_grab_focus(key)
            fixture.type(GDK_KEY_space)
            XCTAssertEqual(fixture.emergencyNumber, "")
            fixture.type("555")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(line.calls.count, 0, "nothing but emergency numbers is called")
            for _ in 0..<3 { fixture.type(GDK_KEY_BackSpace) }
            fixture.type("91123456")
            XCTAssertEqual(fixture.emergencyNumber, "911234", "no longer than such numbers are")
            fixture.type(GDK_KEY_Escape)
            XCTAssertNil(fixture.emergencyNumber)
            XCTAssertEqual(fixture.row, "2 of 4 digits entered", "the passcode is as it was")
            gtk_widget_grab_focus(key)
            fixture.type(GDK_KEY_space)
            fixture.type("911")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(line.calls.map(\.remote.number.text), ["911"])
            fixture.clear()
        }
    }

    func testEmergencyCallWorksWhileLockedOutAndBesideCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let line = fixture.talkingLine()
            for _ in 1...5 {
                fixture.type("9999")
                waitUntil("it was compared") { fixture.lock.state != .checking }
                waitUntil("the refusal is over") { fixture.lock.state != .refused }
            }
            XCTAssertEqual(fixture.find("1").map { gtk_widget_is_sensitive($0) }, 0)
            fixture.tap("Emergency Call")
            fixture.type("112")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(line.calls.map(\.remote.number.text), ["112"])
            fixture.tap("Hang up")
            line.offer("5550104")
            handleEvents()
            XCTAssertNil(fixture.shown("Emergency Call"), "the keys of the call are there")
            fixture.tap("Decline")
            XCTAssertNotNil(fixture.shown("Emergency Call"))
            fixture.clear()
        }
    }

    func testLockScreenSaysThatNoLineReachesHelp() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            fixture.phone.findLineForHelp = { nil }
            fixture.tap("Emergency Call")
            fixture.type("112")
            fixture.type(GDK_KEY_Return)
            XCTAssert(fixture.seen.contains("This phone cannot reach help now. Use another telephone."))
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    func testNoticeOnSIPIsShownOnceAndTakesNothing() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let text =
                "Calls over SIP need power and a working network, and do not tell emergency services where you are."
            XCTAssertFalse(fixture.seen.contains(text))
            // Another test with an account may have shown it: they share the settings.
            fixture.settings.reset("emergency-notice-shown")
            let line = ScriptedLine()
            fixture.lines.accounts = [line]
            fixture.type("91")
            fixture.phone.line = line
            waitUntil("the notice is there") { fixture.seen.contains(text) }
            fixture.type("1")
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(line.calls.map(\.remote.number.text), ["911"], "it delays no call")
            fixture.clear()
            let again = try PhoneWindowFixture()
            again.lines.accounts = [line]
            again.phone.line = line
            again.type("5")
            XCTAssertFalse(again.seen.contains(text))
            again.settings.reset("emergency-notice-shown")
            again.clear()
        }
    }

    func testWindowSaysKindOfNumberAndThatNoLineReachesHelp() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            fixture.type("112")
            XCTAssertEqual([fixture.status, fixture.caption], ["READY", "EMERGENCY NUMBER"])
            fixture.phone.findLineForHelp = { nil }
            fixture.type(GDK_KEY_Return)
            XCTAssertEqual(fixture.status, "CANNOT REACH HELP")
            let text = "This phone cannot reach help now. Use another telephone."
            waitUntil("the notice is there") { fixture.seen.contains(text) }
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.type(GDK_KEY_5)
            waitUntil("the notice is gone") { !fixture.seen.contains(text) }
            XCTAssertEqual(fixture.phone.number.text, "1125", "a number that was not dialled can be edited")
            XCTAssertEqual(fixture.caption, "")
            fixture.clear()
        }
    }

    func testNoSuggestionCoversKindOfNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(
                directory: People([
                    NewContact(ContactCard(name: "Xaa", methods: [ContactMethod(.number, "911-0000")]))
                ]).directory)
            fixture.type("91")
            waitUntil("somebody is offered") { fixture.suggestions != nil }
            fixture.type("1")
            waitUntil("they are still offered") { fixture.suggestions != nil }
            XCTAssertEqual(fixture.caption, "EMERGENCY NUMBER")
            _ = fixture.phone.copy()
            handleEvents()
            XCTAssertEqual([fixture.status, fixture.caption], ["COPIED", "EMERGENCY NUMBER"])
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// The digits of the keypad for emergency numbers; nil while it is closed.
    var emergencyNumber: String? {
        let row = descendants(of: widget).first { widget in
            gtk_widget_get_mapped(widget) != 0
                && atk_object_get_name(gtk_widget_get_accessible(widget)).map { String(cString: $0) }
                    == "Emergency number"
        }
        return row.map { row in
            atk_object_get_description(gtk_widget_get_accessible(row)).map { String(cString: $0) } ?? ""
        }
    }
}
