// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The rows of Preferences: each changes its setting at once, and follows a change from outside.
final class PreferencesTests: GtkTestCase {
    func testChoices() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            for (title, key, value, label) in [
                ("Number Format", "number-format", "regional", "Regional"),
                ("On-Screen Number Pad", "number-pad", "always", "Always"),
                ("Network Sounds", "tone-plan", "gb", "United Kingdom"),
                ("Line", "dial-line", "tel", "The Program for tel: Links"),
                ("Line", "dial-line", "practice", "The Practice Exchange"),
                ("My Messages", "my-messages-side", "right", "Right"),
                ("Secure Connection", "jabber-tls", "direct", "TLS From the First Byte"),
            ] {
                let row = try XCTUnwrap(desk.row(title), title)
                let before = desk.choice(title)
                desk.settings[text: key] = value
                XCTAssertEqual(desk.choice(title), label, "\(title) follows")
                desk.settings.reset(key)
                XCTAssertEqual(desk.choice(title), before)
                choose(label, in: row, of: desk, title)
                XCTAssertEqual(desk.settings[text: key], value, "\(title) changes its setting")
                desk.settings.reset(key)
            }
            desk.clear()
        }
    }

    func testAssistiveToolsKnowEveryRowAndWhatIsChosen() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            for row in descendants(of: desk.widget) where title(of: row) != nil {
                XCTAssertEqual(accessibleName(of: row), title(of: row))
            }
            let format = try XCTUnwrap(desk.row("Number Format"))
            let described = { String(cString: atk_object_get_description(gtk_widget_get_accessible(format))) }
            XCTAssertEqual(described(), "Classic")
            desk.settings[text: "number-format"] = "regional"
            XCTAssertEqual(described(), "Regional")
            choose("Classic", in: format, of: desk, "Number Format")
            XCTAssertEqual(described(), "Classic")
            desk.clear()
        }
    }

    func testAChoiceByKeyboard() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            gtk_widget_grab_focus(desk.row("Number Format"))
            desk.type(GDK_KEY_Return)
            gtk_test_widget_wait_for_draw(desk.widget)
            desk.type(GDK_KEY_Down)
            desk.type(GDK_KEY_Return)
            waitUntil("the format is regional") { desk.settings[text: "number-format"] == "regional" }
            desk.clear()
        }
    }

    func testSwitches() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            for (title, key) in [
                ("Pulse Dialling", "pulse-dialling"), ("Key Click", "key-click"),
                ("Show Panel", "panel-visible"), ("Notification", "message-notification"),
                ("Sound", "message-sound"),
            ] {
                let control = try XCTUnwrap(desk.control(title, type: gtk_switch_get_type()), title)
                let before = desk.settings[flag: key]
                gtk_switch_set_active(control.cast(), before ? 0 : 1)
                XCTAssertEqual(desk.settings[flag: key], !before, title)
                desk.settings[flag: key] = before
                XCTAssertEqual(gtk_switch_get_active(control.cast()) != 0, before, title)
            }
            let click = try XCTUnwrap(desk.control("Key Click", type: gtk_switch_get_type()))
            desk.tap(click)
            waitUntil("a click has turned it on") { desk.settings[flag: "key-click"] }
            desk.clear()
        }
    }

    func testLevels() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            for (title, key) in [("Tone Level", "tone-level"), ("Bell Level", "ring-level")] {
                let scale = try XCTUnwrap(desk.control(title, type: gtk_scale_get_type()), title)
                gtk_widget_grab_focus(scale)
                desk.type(GDK_KEY_Left)
                XCTAssertEqual(desk.settings[number: key], -10, title)
                desk.settings[number: key] = -20
                XCTAssertEqual(gtk_range_get_value(scale.cast()), -20, title)
            }
            desk.clear()
        }
    }

    func testWhatIsChosenCanBeHeard() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            try desk.listen("Ringback")
            waitUntil("ringing is heard") { desk.heard == ["cadence"] }
            let american = desk.tones.notes
            desk.settings[text: "tone-plan"] = "gb"
            try desk.listen("Ringback")
            waitUntil("ringing is heard again") { desk.heard == ["cadence", "over", "cadence"] }
            XCTAssertNotEqual(desk.tones.notes.last, american.last)
            try desk.listen("Bell")
            waitUntil("the bell is heard") { desk.heard.last == "bell" }
            waitUntil("it is silent after a while") { desk.heard.last == "over" }
            desk.settings[text: "tone-plan"] = "../../us"
            desk.tones.notes = []
            try desk.listen("Ringback")
            XCTAssertEqual(desk.heard, [], "there is no such country")
            desk.clear()
        }
    }

    func testTheRegionIsKeptWhenItIsOne() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            let entry = try XCTUnwrap(desk.control("Region", type: gtk_entry_get_type()))
            desk.tap(entry)
            desk.type("g")
            XCTAssertEqual(desk.settings[text: "region"], "")
            XCTAssert(isMarked(entry))
            desk.type("b")
            XCTAssertEqual(desk.settings[text: "region"], "GB")
            XCTAssertFalse(isMarked(entry))
            desk.type("x")
            XCTAssertEqual(desk.settings[text: "region"], "GB", "two letters are enough")
            desk.settings[text: "region"] = "DE"
            XCTAssertEqual(String(cString: gtk_entry_get_text(entry.cast())), "DE")
            gtk_entry_set_text(entry.cast(), "")
            XCTAssertEqual(desk.settings[text: "region"], "")
            desk.clear()
        }
    }

    func testDevicesAreOfferedOnceTheyAreFound() throws {
        try onMainActor {
            let headset = SoundDevice(name: "hw:CARD=Headset", label: "Headset")
            let desk = try PreferencesDesk(devices: [headset])
            let row = try XCTUnwrap(desk.row("Bell"))
            waitUntil("the headset is offered") { choices(of: row) == ["Default", "Headset"] }
            XCTAssertEqual(desk.choice("Bell"), "Default")
            choose("Headset", in: row, of: desk, "Bell")
            XCTAssertEqual(desk.settings[text: "ring-device"], headset.name)
            XCTAssertEqual(desk.settings[text: "tone-device"], "default")
            desk.clear()
        }
    }

    func testAValueThatIsNoneOfTheChoicesIsShownAndKept() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            desk.settings[text: "tone-device"] = "hw:9"
            XCTAssertEqual(desk.choice("Tones and Calls"), "hw:9 (not connected)")
            desk.settings[text: "tone-plan"] = "xx"
            XCTAssertEqual(desk.choice("Network Sounds"), "xx (not found)")
            desk.settings[count: "lock-after"] = 30
            XCTAssertEqual(desk.choice("Lock After"), "30 Minutes")
            XCTAssertEqual(desk.settings[text: "tone-device"], "hw:9")
            XCTAssertEqual(desk.settings[text: "tone-plan"], "xx")
            XCTAssertEqual(desk.settings[count: "lock-after"], 30)
            desk.clear()
        }
    }

    func testEachPageResetsItsOwnSettings() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            let pages: [(PreferencesPageName, [String])] = [
                (.phone, Array(PreferencesDesk.keys[..<11])), (.lines, ["dial-line"]),
                (
                    .messages,
                    ["panel-visible", "my-messages-side", "message-notification", "message-sound"]
                ), (.lock, ["lock-after"]),
            ]
            change(desk.settings)
            XCTAssertEqual(
                PreferencesDesk.keys.filter { !desk.settings.isChosen($0) && !$0.hasPrefix("jabber") }, [])
            desk.settings[text: "jabber-jid"] = "ada@example.org"
            for (index, (page, keys)) in pages.enumerated() {
                desk.show(page)
                let shown = try XCTUnwrap(desk.page)
                let reset = try XCTUnwrap(
                    descendants(of: shown).first { title(of: $0) == "Reset to Defaults" })
                XCTAssertNotEqual(gtk_widget_get_sensitive(reset), 0)
                hdy_action_row_activate(reset.cast())
                XCTAssertEqual(keys.filter(desk.settings.isChosen), [])
                XCTAssertEqual(gtk_widget_get_sensitive(reset), 0, "there is nothing left to reset")
                let others = pages[(index + 1)...].flatMap(\.1)
                XCTAssertEqual(
                    others.filter { !desk.settings.isChosen($0) }, [], "the other pages' are as they were")
            }
            XCTAssert(desk.settings.isChosen("jabber-jid"), "an account is removed by its own row")
            desk.clear()
        }
    }

    func testSearchFindsARowOfAnyPage() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            desk.type(GDK_KEY_f, with: Modifier.control)
            desk.type("lock")
            waitUntil("the row is found") {
                desk.labels.contains("Lock After") && !desk.labels.contains("Pulse Dialling")
            }
            desk.type(GDK_KEY_Escape)
            waitUntil("the page is back") { desk.labels.contains("Pulse Dialling") }
            desk.clear()
        }
    }

    func testEscapeClosesItAndNothingIsLeft() throws {
        try onMainActor {
            let desk = try PreferencesDesk()
            gtk_widget_grab_focus(desk.row("Number Format"))
            desk.type(GDK_KEY_Escape)
            waitUntil("the window is closed") { desk.preferences.window == nil }
            desk.settings[text: "number-format"] = "regional"
            desk.show(.lines)
            XCTAssertEqual(desk.choice("Number Format"), "Regional")
            desk.clear()
        }
    }

    func testItOpensAtAPage() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .about)
            XCTAssert(desk.labels.contains("1.2.3"))
            desk.show(.lines)
            XCTAssert(desk.labels.contains("Dial"))
            desk.show(nil)
            XCTAssert(desk.labels.contains("Dial"))
            desk.clear()
        }
    }

}

/// Gives every setting of Preferences another value.
@MainActor
private func change(_ settings: Settings) {
    for (key, value) in [
        ("number-format", "regional"), ("region", "GB"), ("number-pad", "never"), ("tone-set", "x"),
        ("tone-plan", "de"), ("tone-device", "x"), ("ring-device", "x"), ("dial-line", "tel"),
        ("my-messages-side", "right"),
    ] { settings[text: key] = value }
    for key in ["tone-level", "ring-level"] { settings[number: key] = -12 }
    for key in ["pulse-dialling", "key-click"] { settings[flag: key] = true }
    for key in ["panel-visible", "message-notification", "message-sound"] { settings[flag: key] = false }
    settings[count: "lock-after"] = 15
}

@MainActor
private func choices(of row: UnsafeMutablePointer<GtkWidget>) -> [String] {
    guard let model = hdy_combo_row_get_model(row.cast()) else { return [] }
    return (0..<g_list_model_get_n_items(model)).map { index in
        guard let item = g_list_model_get_item(model, index) else { return "" }
        defer { g_object_unref(item) }
        let text = hdy_value_object_dup_string(OpaquePointer(item))
        defer { g_free(text) }
        return text.map { String(cString: $0) } ?? ""
    }
}

/// Chooses as the row's list does.
@MainActor
private func choose(
    _ label: String, in row: UnsafeMutablePointer<GtkWidget>, of desk: PreferencesDesk, _ title: String
) {
    guard let index = choices(of: row).firstIndex(of: label) else {
        return XCTFail("\(title) offers no \(label)")
    }
    hdy_combo_row_set_selected_index(row.cast(), gint(index))
    handleEvents()
}

@MainActor
private func title(of widget: UnsafeMutablePointer<GtkWidget>) -> String? {
    guard cgtk_instance_is_a(widget, hdy_preferences_row_get_type()) != 0 else { return nil }
    return hdy_preferences_row_get_title(widget.cast()).map { String(cString: $0) }
}

@MainActor
private func isMarked(_ entry: UnsafeMutablePointer<GtkWidget>) -> Bool {
    gtk_style_context_has_class(gtk_widget_get_style_context(entry), "error") != 0
}
