// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the list of all calls, which reaches each of them with the pointer, the keyboard and a screen reader.
final class CallListTests: GtkTestCase {
    func testListReachesEveryCall() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5550101", on: line)
            fixture.act("calls-now")
            XCTAssertNil(fixture.shown("List of calls"), "the display shows the only one")
            for number in ["5550102", "5550103", "5550104"] { fixture.add(number, on: line) }
            XCTAssertEqual(fixture.states, ["0101 held", "0102 held", "0103 held", "0104 connected"])
            fixture.tap("List of calls")
            waitUntil("the list is open") { fixture.shown("Resume: 555-0101") != nil }
            XCTAssertNotNil(fixture.shown("Hold: 555-0104"))
            XCTAssertNil(fixture.shown("Join: 555-0104"))
            fixture.press("Join: 555-0102")
            XCTAssertEqual(fixture.states, ["0101 held", "0102 joined", "0103 held", "0104 joined"])
            fixture.press("Join: 555-0101")
            XCTAssertEqual(fixture.states, ["0101 joined", "0102 joined", "0103 held", "0104 joined"])
            XCTAssertNil(fixture.shown("Join: 555-0101"))
            fixture.press("Resume: 555-0103")
            XCTAssertEqual(fixture.states, ["0101 held", "0102 held", "0103 connected", "0104 held"])
            fixture.press("End: 555-0102")
            XCTAssertEqual(fixture.states, ["0101 held", "0103 connected", "0104 held"])
            XCTAssertNil(fixture.shown("End: 555-0102"))
            fixture.press("End: 555-0103")
            XCTAssertEqual(
                fixture.states, ["0101 held", "0104 held"], "nobody is resumed without being asked")
            fixture.press("End: 555-0101")
            waitUntil("the list of one call is closed") { fixture.shown("End: 555-0104") == nil }
            fixture.clear()
        }
    }

    func testKeyboardAloneReachesHeldCalls() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.focus()
            fixture.talk("5550101", on: line)
            for number in ["5550102", "5550103"] { fixture.add(number, on: line) }
            fixture.act("calls-now")
            waitUntil("the list is open") { fixture.nameOfFocus == "Hold: 555-0103" }
            fixture.walk(to: "Resume: 555-0101")
            fixture.type(GDK_KEY_space)
            XCTAssertEqual(fixture.states, ["0101 connected", "0102 held", "0103 held"])
            fixture.walk(to: "End: 555-0102")
            fixture.type(GDK_KEY_space)
            XCTAssertEqual(fixture.states, ["0101 connected", "0103 held"])
            waitUntil("the focus stays in the list") { fixture.nameOfFocus.contains(": 555-01") }
            fixture.walk(to: "Call Another Number")
            fixture.type(GDK_KEY_space)
            waitUntil("the phone waits for a number") { fixture.phone.calls.isTakingNumber }
            XCTAssertEqual(fixture.states, ["0101 held", "0103 held"])
            fixture.clear()
        }
    }

    func testSecondCallerIsAnsweredFromList() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            let line = fixture.talkingLine()
            fixture.talk("5550101", on: line)
            for number in ["5550102", "5550103"] { line.offer(number) }
            handleEvents()
            fixture.tap("List of calls")
            waitUntil("the list is open") { fixture.shown("Answer: 555-0103") != nil }
            fixture.press("Answer: 555-0103")
            XCTAssertEqual(fixture.states, ["0101 held", "0102 incoming", "0103 connected"])
            fixture.press("Decline: 555-0102")
            XCTAssertEqual(fixture.states, ["0101 held", "0103 connected"])
            fixture.clear()
        }
    }

    func testSixCallsMoveNoKeyAndLeaveNoPlace() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            fixture.type("1234")
            waitUntil("the phone is unlocked") { !fixture.lock.isLocked }
            let line = fixture.talkingLine()
            fixture.talk("5550101", on: line)
            let keys = ["1", "5", "9", "0", "Flash", "Hang up"]
            let places = keys.map(fixture.place)
            for number in 2...6 { fixture.add("555010\(number)", on: line) }
            XCTAssertEqual(keys.map(fixture.place), places)
            fixture.act("calls-now")
            waitUntil("the list is open") { fixture.shown("End: 555-0106") != nil }
            let add = try XCTUnwrap(fixture.shown("Call Another Number"))
            XCTAssertEqual(gtk_widget_get_sensitive(add), 0)
            XCTAssertEqual(keys.map(fixture.place), places)
            line.offer("5550107")
            handleEvents()
            XCTAssertEqual(fixture.phone.calls.calls.count, 6)
            let lock = fixture.lock
            lock.lock()
            handleEvents()
            XCTAssert(lock.isLocked)
            XCTAssertNil(fixture.shown("End: 555-0101"), "the locked phone names nobody")
            fixture.clear()
        }
    }
}

extension PhoneWindowFixture {
    /// The end of each call's number, and its state.
    fileprivate var states: [String] {
        phone.calls.calls.map { "\($0.remote.number.text.suffix(4)) \($0.state)" }
    }

    /// The name of the widget with the focus.
    fileprivate var nameOfFocus: String {
        gtk_window_get_focus(widget.cast()).flatMap { accessibleName(of: $0) } ?? ""
    }

    /// Calls another number besides the calls that there are.
    fileprivate func add(_ number: String, on line: ScriptedLine) {
        act("add-call")
        phone.clear()
        talk(number, on: line)
    }

    /// Presses a key, also one that is out of view in its list.
    fileprivate func press(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let key = shown(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        gtk_button_clicked(key.cast())
        handleEvents()
    }

    /// Moves the focus with the Tab key.
    fileprivate func walk(to name: String, file: StaticString = #filePath, line: UInt = #line) {
        for _ in 0..<30 where nameOfFocus != name { type(GDK_KEY_Tab) }
        XCTAssertEqual(nameOfFocus, name, file: file, line: line)
    }
}
