// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// What gets through from before the phone locks or opens to after it: nothing.
final class LockedPhoneTests: GtkTestCase {
    func testKeysThatAssistiveToolsHaveFromBeforeDoNothing() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            desk.type("555")
            let keys = try ["5", "Dial", "Delete", "Redial", "Messages"].map {
                try XCTUnwrap(desk.find($0), $0)
            }
            let isOpen = desk.window.panel.folding.isOpen
            desk.lock.lock()
            for key in keys { click(key) }
            handleEvents()
            XCTAssertEqual(desk.phone.number.text, "555")
            XCTAssertEqual(desk.window.panel.folding.isOpen, isOpen)
            XCTAssertEqual(desk.line.numbers, [])
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            click(keys[0])
            waitUntil("the key works again") { desk.phone.number.text == "5555" }
            XCTAssertEqual(desk.line.numbers, [])
            desk.clear()
        }
    }

    func testTheLastDigitThatIsStillHeldIsNoneOfTheNumber() throws {
        try onMainActor {
            let desk = try Desk(passcode: "1234")
            desk.type("123")
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            desk.key(GDK_KEY_4, down: true)
            waitUntil("the phone is open") { !desk.lock.isLocked }
            awaitRepeats(of: desk)
            XCTAssertEqual(desk.phone.number.text, "")
            XCTAssertEqual(desk.phone.keysDown, [])
            XCTAssertEqual(desk.tones.tones, [])
            desk.key(GDK_KEY_4, down: false)
            desk.type("4")
            XCTAssertEqual(desk.phone.number.text, "4", "let go, it is a key like any other")
            desk.clear()
        }
    }

    func testADigitThatIsHeldWhileThePhoneLocksFillsNoDot() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            cxtest_set_auto_repeat(true)
            defer { cxtest_set_auto_repeat(false) }
            desk.key(GDK_KEY_1, down: true)
            desk.lock.lock()
            awaitRepeats(of: desk)
            XCTAssertEqual(desk.row, "0 of 4 digits entered")
            desk.key(GDK_KEY_1, down: false)
            desk.type("1")
            XCTAssertEqual(desk.row, "1 of 4 digits entered", "let go, it is a key like any other")
            desk.clear()
        }
    }

    func testAWindowThatIsGoneMeanwhileStaysGone() throws {
        try onMainActor {
            let desk = try Desk.opened("1234")
            let other = GObjectRef(retaining: try XCTUnwrap(gtk_window_new(GTK_WINDOW_TOPLEVEL)))
            gtk_widget_show(other.cast())
            desk.lock.lock()
            XCTAssertEqual(gtk_widget_get_visible(other.cast()), 0)
            gtk_widget_destroy(other.cast())
            desk.focus()
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            XCTAssertEqual(gtk_widget_get_visible(other.cast()), 0)
            XCTAssertNotEqual(gtk_window_is_active(desk.window.window), 0)
            desk.clear()
        }
    }
}

/// Does what a key does, as an assistive tool has it done.
@MainActor
private func click(_ key: UnsafeMutablePointer<GtkWidget>) {
    let accessible = gtk_widget_get_accessible(key)
    atk_action_do_action(OpaquePointer(accessible), 0)
    // GTK does it when it is idle.
    handleEvents()
}

/// Waits until the server has repeated the key that is down.
@MainActor
private func awaitRepeats(of desk: Desk) {
    let repeats = Variable(0)
    Signal.connectEvent(desk.widget, "event") { event in
        if event.pointee.type == GDK_KEY_PRESS { repeats.value += 1 }
        return false
    }
    waitUntil("the server has repeated the key") { repeats.value > 3 }
    handleEvents()
}
