// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

/// Setting, changing and removing the passcode in Preferences.
final class PasscodeDialogTests: GtkTestCase {
    func testAPasscodeIsSetByKeyboard() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lock)
            XCTAssert(desk.labels.contains("The phone is open to everyone."))
            open("Set Passcode…", desk)
            desk.type("1234")
            desk.type(GDK_KEY_Return)
            desk.type("1234")
            desk.type(GDK_KEY_Return)
            waitUntil("the passcode is set") { desk.passcode.passcode == "1234" }
            waitUntil("the page says where it is") { desk.labels.contains("It is kept in the keyring.") }
            XCTAssertFalse(desk.labels.contains("Set Passcode…"))
            desk.clear()
        }
    }

    func testAPasscodeIsSetOnTheNumberPad() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lock)
            desk.settings[text: "number-pad"] = "always"
            open("Set Passcode…", desk)
            for name in ["New Passcode", "Confirm New Passcode"] {
                let field = try XCTUnwrap(desk.field(name))
                XCTAssertEqual(gtk_window_get_focus(desk.widget.cast()), field)
                // The pad that DONE has put away comes again where the field is pressed.
                desk.tap(field)
                for digit in ["5", "5", "0", "1"] { try clickPad(digit, desk) }
                XCTAssertEqual(String(cString: gtk_entry_get_text(field.cast())), "5501")
                XCTAssertEqual(gtk_entry_get_visibility(field.cast()), 0, "dots")
                try clickPad("Done", desk)
            }
            desk.type(GDK_KEY_Return)
            waitUntil("the passcode is set") { desk.passcode.passcode == "5501" }
            desk.clear()
        }
    }

    func testMistakesAreToldAndNothingIsSet() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lock)
            open("Set Passcode…", desk)
            desk.type("123")
            desk.type(GDK_KEY_Return)
            desk.type(GDK_KEY_Return)
            XCTAssert(desk.labels.contains("A passcode has 4 to 8 digits."))
            desk.type("1234")
            XCTAssertFalse(
                desk.labels.contains("A passcode has 4 to 8 digits."), "it is gone at the next key")
            desk.type(GDK_KEY_Return)
            desk.type("4321")
            desk.type(GDK_KEY_Return)
            XCTAssert(desk.labels.contains("The two new passcodes differ."))
            XCTAssertNil(desk.passcode.passcode)
            desk.clear()
        }
    }

    func testChangingAndRemovingAskForThePasscode() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lock)
            desk.passcode.passcode = "1111"
            open("Change Passcode…", desk)
            for passcode in ["0000", "2222", "2222"] {
                desk.type(passcode)
                desk.type(GDK_KEY_Return)
            }
            waitUntil("it says so") { desk.labels.contains("That is not the passcode. 4 attempts are left.") }
            XCTAssertEqual(desk.passcode.passcode, "1111")
            desk.type("1111")
            for _ in 0..<3 { desk.type(GDK_KEY_Return) }
            waitUntil("it is changed") { desk.passcode.passcode == "2222" }
            waitUntil("the page is back") { desk.labels.contains("Remove Passcode…") }
            open("Remove Passcode…", desk)
            desk.type("2222")
            desk.type(GDK_KEY_Return)
            waitUntil("it is removed") { desk.passcode.passcode == nil }
            desk.clear()
        }
    }

    func testClosingPreferencesInTheMiddleLeavesThePasscodeAsItIs() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lock)
            open("Set Passcode…", desk)
            desk.type("1234")
            desk.preferences.close()
            handleEvents()
            XCTAssertNil(desk.passcode.passcode)
            desk.clear()
        }
    }
}

/// Opens the page for passcodes, and waits until its first field has the focus.
@MainActor
private func open(_ title: String, _ desk: PreferencesDesk) {
    guard let row = desk.row(title) else { return XCTFail("there is no row \(title)") }
    hdy_action_row_activate(row.cast())
    waitUntil("the page has the focus") {
        gtk_window_get_focus(desk.widget.cast()).map { gtk_entry_get_visibility($0.cast()) == 0 } == true
    }
    let deck = descendants(of: desk.widget).first { cgtk_instance_is_a($0, hdy_deck_get_type()) != 0 }
    waitUntil("the page has slid in") { deck.map { hdy_deck_get_transition_running($0.cast()) == 0 } == true }
    gtk_test_widget_wait_for_draw(desk.widget)
}

@MainActor
private func clickPad(_ name: String, _ desk: PreferencesDesk) throws {
    gtk_test_widget_wait_for_draw(desk.widget)
    let frame = gtk_widget_get_accessible(desk.widget)
    let pad = (0..<atk_object_get_n_accessible_children(frame)).compactMap { index in
        let child = atk_object_ref_accessible_child(frame, index)
        defer { child.map { g_object_unref($0) } }
        let name = child.flatMap { atk_object_get_name($0) }.map { String(cString: $0) }
        return name == "Number pad" ? child.flatMap { gtk_accessible_get_widget($0.cast()) } : nil
    }.first
    let shown = try XCTUnwrap(pad, "there is no pad")
    var places: [[gint]] = []
    // It goes with its field, which may slide in still.
    waitUntil("the pad stands still") {
        gtk_test_widget_wait_for_draw(desk.widget)
        places.append(origin(of: shown))
        return places.count >= 15 && Set(places.suffix(15)).count == 1
    }
    let key = descendants(of: shown).first { accessibleName(of: $0) == name }
    desk.tap(try XCTUnwrap(key))
}

/// Where a widget with a window of its own is on the screen, in pixels.
@MainActor
private func origin(of widget: UnsafeMutablePointer<GtkWidget>) -> [gint] {
    var (x, y): (gint, gint) = (0, 0)
    gdk_window_get_origin(gtk_widget_get_window(widget), &x, &y)
    return [x, y]
}
