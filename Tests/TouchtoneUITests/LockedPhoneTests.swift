// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests that no input crosses the moment of locking or unlocking.
final class LockedPhoneTests: GtkTestCase {
    func testEarlierAccessibleKeysDoNothingWhileLocked() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            fixture.type("555")
            let keys = try ["5", "Dial", "Delete", "Redial", "Messages"].map {
                try XCTUnwrap(fixture.find($0), $0)
            }
            let isOpen = fixture.window.panel.folding.isOpen
            fixture.lock.lock()
            for key in keys { click(key) }
            handleEvents()
            XCTAssertEqual(fixture.phone.number.text, "555")
            XCTAssertEqual(fixture.window.panel.folding.isOpen, isOpen)
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            click(keys[0])
            waitUntil("the key works again") { fixture.phone.number.text == "5555" }
            XCTAssertEqual(fixture.line.numbers, [])
            fixture.clear()
        }
    }

    func testLastPasscodeDigitIsNotEnteredInNumber() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            fixture.type("123")
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            fixture.key(GDK_KEY_4, down: true)
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            awaitRepeats(of: fixture)
            XCTAssertEqual(fixture.phone.number.text, "")
            XCTAssertEqual(fixture.phone.keysDown, [])
            XCTAssertEqual(fixture.tones.tones, [])
            fixture.key(GDK_KEY_4, down: false)
            fixture.type("4")
            XCTAssertEqual(fixture.phone.number.text, "4", "let go, it is a key like any other")
            fixture.clear()
        }
    }

    func testDigitHeldWhileLockingFillsNoDot() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            fixture.key(GDK_KEY_1, down: true)
            fixture.lock.lock()
            awaitRepeats(of: fixture)
            XCTAssertEqual(fixture.row, "0 of 4 digits entered")
            fixture.key(GDK_KEY_1, down: false)
            fixture.type("1")
            XCTAssertEqual(fixture.row, "1 of 4 digits entered", "let go, it is a key like any other")
            fixture.clear()
        }
    }

    func testWindowClosedMeanwhileStaysClosed() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture.opened("1234")
            let other = GObjectRef(retaining: try XCTUnwrap(gtk_window_new(GTK_WINDOW_TOPLEVEL)))
            gtk_widget_show(other.cast())
            fixture.lock.lock()
            XCTAssertEqual(gtk_widget_get_visible(other.cast()), 0)
            gtk_widget_destroy(other.cast())
            fixture.focus()
            fixture.type("1234")
            waitUntil("the phone is open") { !fixture.lock.isLocked }
            XCTAssertEqual(gtk_widget_get_visible(other.cast()), 0)
            XCTAssertNotEqual(gtk_window_is_active(fixture.window.window), 0)
            fixture.clear()
        }
    }
}

/// Activates a key, as an assistive tool does.
@MainActor
private func click(_ key: UnsafeMutablePointer<GtkWidget>) {
    let accessible = gtk_widget_get_accessible(key)
    atk_action_do_action(OpaquePointer(accessible), 0)
    // GTK runs the action when it is idle.
    handleEvents()
}

/// Waits until the server has repeated the pressed key.
@MainActor
private func awaitRepeats(of fixture: PhoneWindowFixture) {
    let repeats = Variable(0)
    Signal.connectEvent(fixture.widget, "event") { event in
        if event.pointee.type == GDK_KEY_PRESS { repeats.value += 1 }
        return false
    }
    waitUntil("the server has repeated the key") { repeats.value > 3 }
    handleEvents()
}
