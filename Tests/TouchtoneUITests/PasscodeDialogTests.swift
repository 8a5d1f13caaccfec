// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Tests of setting, changing and removing the passcode in Preferences.
final class PasscodeDialogTests: GtkTestCase {
    func testKeyboardSetsPasscode() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            XCTAssert(fixture.labels.contains("Anyone at this computer can use the phone."))
            open("Set Passcode…", fixture)
            fixture.type("1234")
            fixture.type(GDK_KEY_Return)
            fixture.type("1234")
            fixture.type(GDK_KEY_Return)
            waitUntil("the passcode is set") { fixture.passcode.passcode == "1234" }
            waitUntil("the page says where it is") { fixture.labels.contains("It is kept in the keyring.") }
            XCTAssertFalse(fixture.labels.contains("Set Passcode…"))
            fixture.clear()
        }
    }

    func testNumberPadSetsPasscode() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            fixture.settings[text: "number-pad"] = "always"
            open("Set Passcode…", fixture)
            for name in ["New Passcode", "Confirm New Passcode"] {
                let field = try XCTUnwrap(fixture.field(name))
                XCTAssertEqual(gtk_window_get_focus(fixture.widget.cast()), field)
                // A pad closed with DONE opens again when the field is pressed.
                fixture.tap(field)
                for digit in ["5", "5", "0", "1"] { try clickPad(digit, fixture) }
                XCTAssertEqual(String(cString: gtk_entry_get_text(field.cast())), "5501")
                XCTAssertEqual(gtk_entry_get_visibility(field.cast()), 0, "dots")
                try clickPad("Done", fixture)
            }
            fixture.type(GDK_KEY_Return)
            waitUntil("the passcode is set") { fixture.passcode.passcode == "5501" }
            fixture.clear()
        }
    }

    func testMistakesAreReportedAndNothingIsSet() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            open("Set Passcode…", fixture)
            fixture.type("123")
            fixture.type(GDK_KEY_Return)
            fixture.type(GDK_KEY_Return)
            XCTAssert(fixture.labels.contains("A passcode must have 4 to 8 digits."))
            fixture.type("1234")
            XCTAssertFalse(
                fixture.labels.contains("A passcode must have 4 to 8 digits."), "it is gone at the next key")
            fixture.type(GDK_KEY_Return)
            fixture.type("4321")
            fixture.type(GDK_KEY_Return)
            XCTAssert(fixture.labels.contains("The passcodes don’t match."))
            XCTAssertNil(fixture.passcode.passcode)
            fixture.clear()
        }
    }

    func testChangingAndRemovingAskForPasscode() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            fixture.passcode.passcode = "1111"
            open("Change Passcode…", fixture)
            for passcode in ["0000", "2222", "2222"] {
                fixture.type(passcode)
                fixture.type(GDK_KEY_Return)
            }
            waitUntil("it says so") {
                fixture.labels.contains("Wrong passcode. 4 attempts left.")
            }
            XCTAssertEqual(fixture.passcode.passcode, "1111")
            fixture.type("1111")
            for _ in 0..<3 { fixture.type(GDK_KEY_Return) }
            waitUntil("it is changed") { fixture.passcode.passcode == "2222" }
            waitUntil("the page is back") { fixture.labels.contains("Remove Passcode…") }
            open("Remove Passcode…", fixture)
            fixture.type("2222")
            fixture.type(GDK_KEY_Return)
            waitUntil("it is removed") { fixture.passcode.passcode == nil }
            fixture.clear()
        }
    }

    func testClosingPreferencesMidwayKeepsPasscode() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lock)
            open("Set Passcode…", fixture)
            fixture.type("1234")
            fixture.preferences.close()
            handleEvents()
            XCTAssertNil(fixture.passcode.passcode)
            fixture.clear()
        }
    }
}

/// Opens the page for passcodes, and waits until its first field has the focus.
@MainActor
private func open(_ title: String, _ fixture: PreferencesFixture) {
    guard let row = fixture.row(title) else { return XCTFail("there is no row \(title)") }
    hdy_action_row_activate(row.cast())
    waitUntil("the page has the focus") {
        gtk_window_get_focus(fixture.widget.cast()).map { gtk_entry_get_visibility($0.cast()) == 0 } == true
    }
    let deck = descendants(of: fixture.widget).first { cgtk_instance_is_a($0, hdy_deck_get_type()) != 0 }
    waitUntil("the page has slid in") { deck.map { hdy_deck_get_transition_running($0.cast()) == 0 } == true }
    gtk_test_widget_wait_for_draw(fixture.widget)
}

@MainActor
private func clickPad(_ name: String, _ fixture: PreferencesFixture) throws {
    gtk_test_widget_wait_for_draw(fixture.widget)
    let frame = gtk_widget_get_accessible(fixture.widget)
    let pad = (0..<atk_object_get_n_accessible_children(frame)).compactMap { index in
        let child = atk_object_ref_accessible_child(frame, index)
        defer { child.map { g_object_unref($0) } }
        let name = child.flatMap { atk_object_get_name($0) }.map { String(cString: $0) }
        return name == "Number pad" ? child.flatMap { gtk_accessible_get_widget($0.cast()) } : nil
    }.first
    let shown = try XCTUnwrap(pad, "there is no pad")
    var places: [[gint]] = []
    // The pad moves with its field, which may still be sliding in.
    waitUntil("the pad stands still") {
        gtk_test_widget_wait_for_draw(fixture.widget)
        places.append(origin(of: shown))
        return places.count >= 15 && Set(places.suffix(15)).count == 1
    }
    let key = descendants(of: shown).first { accessibleName(of: $0) == name }
    fixture.tap(try XCTUnwrap(key))
}

/// Returns the position of a widget with its own window on the screen, in pixels.
@MainActor
private func origin(of widget: UnsafeMutablePointer<GtkWidget>) -> [gint] {
    var (x, y): (gint, gint) = (0, 0)
    gdk_window_get_origin(gtk_widget_get_window(widget), &x, &y)
    return [x, y]
}
