// SPDX-License-Identifier: GPL-3.0-or-later

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
            let isOpen = desk.window.folding.isOpen
            desk.lock.lock()
            for key in keys { click(key) }
            handleEvents()
            XCTAssertEqual(desk.phone.number.text, "555")
            XCTAssertEqual(desk.window.folding.isOpen, isOpen)
            XCTAssertEqual(desk.line.numbers, [])
            desk.type("1234")
            waitUntil("the phone is open") { !desk.lock.isLocked }
            click(keys[0])
            waitUntil("the key works again") { desk.phone.number.text == "5555" }
            XCTAssertEqual(desk.line.numbers, [])
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
