// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the order in which assistive tools read the keys and the Tab key visits them.
final class ReadingOrderTests: GtkTestCase {
    private static let digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
    private static let keypad = digits + ["star", "0", "pound"]

    func testPhoneKeysAreReadFromTop() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(directory: People().directory)
            let wanted = ["Redial", "Memory", "Messages", "Lock"] + Self.keypad + ["Delete", "Dial"]
            XCTAssertEqual(buttons(in: fixture.widget).filter(wanted.contains), wanted)
            fixture.clear()
        }
    }

    func testKeyboardFollowsReadingOrderOfPhoneKeys() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture()
            gtk_widget_grab_focus(fixture.find("1"))
            var seen = ["1"]
            while seen.count < 14 {
                gtk_widget_child_focus(fixture.widget, GTK_DIR_TAB_FORWARD)
                let focus = try XCTUnwrap(gtk_window_get_focus(fixture.window.window))
                seen.append(accessibleName(of: focus) ?? "")
            }
            XCTAssertEqual(seen, Self.keypad + ["Delete", "Dial"])
            fixture.clear()
        }
    }

    func testLockKeysAreReadFromTop() throws {
        try onMainActor {
            let fixture = try PhoneWindowFixture(passcode: "1234")
            let wanted = Self.digits + ["0", "Delete"]
            XCTAssertEqual(buttons(in: fixture.widget).filter(wanted.contains), wanted)
            fixture.clear()
        }
    }

    func testNumberPadKeysAreReadFromTop() throws {
        try onMainActor {
            let resources = Resources(folder: "\(Checkout.folder)/data")
            let builder = try Builder(file: resources.layout("number-pad"))
            XCTAssertEqual(
                buttons(in: try builder.object("keys")), Self.keypad + ["Delete", "Done"])
        }
    }

    func testMemoryKeysAreReadFromTop() throws {
        try onMainActor {
            let fixture = try ContactsPageFixture()
            fixture.page.showMemory()
            handleEvents()
            XCTAssertEqual(
                buttons(in: fixture.widget).filter { $0.hasPrefix("Memory key") },
                Self.digits.map { "Memory key \($0), empty" })
            fixture.clear()
        }
    }
}

/// Returns the names of the buttons in a widget, in the order in which assistive tools find them.
@MainActor
private func buttons(in widget: Widget) -> [String] {
    @MainActor func names(in object: UnsafeMutablePointer<AtkObject>) -> [String] {
        let isButton = [ATK_ROLE_PUSH_BUTTON, ATK_ROLE_TOGGLE_BUTTON].contains(atk_object_get_role(object))
        var found = isButton ? atk_object_get_name(object).map { [String(cString: $0)] } ?? [] : []
        for index in 0..<atk_object_get_n_accessible_children(object) {
            guard let child = atk_object_ref_accessible_child(object, index) else { continue }
            found += names(in: child)
            g_object_unref(child)
        }
        return found
    }
    return gtk_widget_get_accessible(widget).map(names) ?? []
}
