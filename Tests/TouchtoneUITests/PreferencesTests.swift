// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GtkBridge
import GtkTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the rows of Preferences: each changes its setting at once, and follows external changes.
final class PreferencesTests: GtkTestCase {
    func testChoices() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            for (title, key, value, label) in [
                ("Number Format", "number-format", "regional", "Regional"),
                ("On-Screen Number Pad", "number-pad", "always", "Always"),
                ("Network Sounds", "tone-plan", "gb", "United Kingdom"),
                ("Line", "dial-line", "tel", "Desktop Phone App"),
                ("Line", "dial-line", "practice", "Practice Exchange"),
                ("My Messages", "my-messages-side", "right", "Right"),
                ("Name and Time", "stamp-lines", "runs", "Once for a Run"),
                ("Real-Time Text", "real-time-text", "never", "Never"),
                ("Real-Time Text", "real-time-text", "always", "Always"),
                ("Secure Connection", "jabber-tls", "direct", "Direct TLS"),
            ] {
                let row = try XCTUnwrap(fixture.row(title), title)
                let before = fixture.choice(title)
                fixture.settings[text: key] = value
                XCTAssertEqual(fixture.choice(title), label, "\(title) follows")
                fixture.settings.reset(key)
                XCTAssertEqual(fixture.choice(title), before)
                choose(label, in: row, of: fixture, title)
                XCTAssertEqual(fixture.settings[text: key], value, "\(title) changes its setting")
                fixture.settings.reset(key)
            }
            fixture.clear()
        }
    }

    func testEveryRowAndChoiceIsAccessible() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            for row in descendants(of: fixture.widget) where title(of: row) != nil {
                XCTAssertEqual(accessibleName(of: row), title(of: row))
            }
            let format = try XCTUnwrap(fixture.row("Number Format"))
            let described = { String(cString: atk_object_get_description(gtk_widget_get_accessible(format))) }
            XCTAssertEqual(described(), "Classic")
            fixture.settings[text: "number-format"] = "regional"
            XCTAssertEqual(described(), "Regional")
            choose("Classic", in: format, of: fixture, "Number Format")
            XCTAssertEqual(described(), "Classic")
            fixture.clear()
        }
    }

    func testKeyboardMakesChoice() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            gtk_widget_grab_focus(fixture.row("Number Format"))
            fixture.type(GDK_KEY_Return)
            gtk_test_widget_wait_for_draw(fixture.widget)
            fixture.type(GDK_KEY_Down)
            fixture.type(GDK_KEY_Return)
            waitUntil("the format is regional") { fixture.settings[text: "number-format"] == "regional" }
            fixture.clear()
        }
    }

    func testSwitches() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            for (title, key) in [
                ("Pulse Dialling", "pulse-dialling"), ("Key Click", "key-click"),
                ("Do Not Disturb", "do-not-disturb"), ("Keep Running When Closed", "run-in-background"),
                ("Start at Login", "autostart"), ("Status Icon", "status-icon"),
                ("Pause Media During Calls", "pause-media"),
                ("Keep the Text of Calls", "keep-call-text"), ("Headset Keys", "headset-keys"),
                ("Shortcuts in Other Apps", "global-shortcuts"), ("Show Panel", "panel-visible"),
                ("Styled Text", "message-styling"), ("Spelling", "message-spelling"),
                ("Notification", "message-notification"),
                ("Sound", "message-sound"),
                ("Remove Location and Camera Data from Pictures", "remove-picture-metadata"),
                ("Encrypt New Conversations", "encrypt-by-default"),
            ] {
                let control = try XCTUnwrap(fixture.control(title, type: gtk_switch_get_type()), title)
                let before = fixture.settings[flag: key]
                gtk_switch_set_active(control.cast(), before ? 0 : 1)
                XCTAssertEqual(fixture.settings[flag: key], !before, title)
                fixture.settings[flag: key] = before
                XCTAssertEqual(gtk_switch_get_active(control.cast()) != 0, before, title)
            }
            let click = try XCTUnwrap(fixture.control("Key Click", type: gtk_switch_get_type()))
            fixture.tap(click)
            waitUntil("a click has turned it on") { fixture.settings[flag: "key-click"] }
            fixture.clear()
        }
    }

    func testLevels() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            for (title, key) in [("Tone Level", "tone-level"), ("Bell Level", "ring-level")] {
                let scale = try XCTUnwrap(fixture.control(title, type: gtk_scale_get_type()), title)
                gtk_widget_grab_focus(scale)
                fixture.type(GDK_KEY_Left)
                XCTAssertEqual(fixture.settings[number: key], -10, title)
                fixture.settings[number: key] = -20
                XCTAssertEqual(gtk_range_get_value(scale.cast()), -20, title)
            }
            fixture.clear()
        }
    }

    func testDevicesAreOfferedOnceFound() throws {
        try onMainActor {
            let headset = SoundDevice(name: "hw:CARD=Headset", label: "Headset")
            let fixture = try PreferencesFixture(devices: [headset])
            let row = try XCTUnwrap(fixture.row("Bell"))
            waitUntil("the headset is offered") { choices(of: row) == ["Default", "Headset"] }
            XCTAssertEqual(fixture.choice("Bell"), "Default")
            choose("Headset", in: row, of: fixture, "Bell")
            XCTAssertEqual(fixture.settings[text: "ring-device"], headset.name)
            XCTAssertEqual(fixture.settings[text: "tone-device"], "default")
            fixture.clear()
        }
    }

    func testLongNamesOfDevicesAreShownWhole() throws {
        try onMainActor {
            let outputs = ["Analog Stereo", "Digital Stereo (HDMI 2)"].map {
                SoundDevice(name: "pulse:\($0.prefix(3))", label: "Family 17h/19h HD Audio Controller \($0)")
            }
            let fixture = try PreferencesFixture(devices: outputs)
            let row = try XCTUnwrap(fixture.row("Bell"))
            waitUntil("they are offered") { choices(of: row) == ["Default"] + outputs.map(\.label) }
            gtk_widget_activate(row)
            let list = try XCTUnwrap(
                gtk_widget_get_template_child(row.cast(), hdy_combo_row_get_type(), "list"))
            let labels = descendants(of: list.cast()).filter {
                cgtk_instance_is_a($0, gtk_label_get_type()) != 0
            }
            waitUntil("the list is open") { labels.allSatisfy { gtk_widget_get_mapped($0) != 0 } }
            XCTAssertEqual(labels.count, 3)
            for label in labels {
                XCTAssertEqual(pango_layout_is_ellipsized(gtk_label_get_layout(label.cast())), 0)
            }
            fixture.clear()
        }
    }

    func testMicrophonesAreOfferedOnceFound() throws {
        try onMainActor {
            let microphone = SoundDevice(name: "sysdefault:CARD=Mic", label: "USB Mic")
            let fixture = try PreferencesFixture(microphones: [microphone])
            let row = try XCTUnwrap(fixture.row("Microphone"))
            waitUntil("it is offered") { choices(of: row) == ["Default", "USB Mic"] }
            choose("USB Mic", in: row, of: fixture, "Microphone")
            XCTAssertEqual(fixture.settings[text: "microphone-device"], microphone.name)
            XCTAssertEqual(fixture.settings[text: "tone-device"], "default")
            fixture.clear()
        }
    }

    func testAboutNamesNumberingPlans() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .about)
            XCTAssertNotNil(fixture.row("Numbering Plans"))
            XCTAssert(fixture.labels.contains("libphonenumber 8.13"))
            fixture.clear()
        }
    }

    func testReportIsShownBeforeItIsSaved() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .about)
            XCTAssertEqual(fixture.isShown("Save the Report"), false)
            fixture.activate("Report for a Bug")
            waitUntil("it is shown") { fixture.labels.contains(fixture.report.value) }
            XCTAssertEqual(fixture.isShown("Save the Report"), true)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(getpid()).txt")
            defer { try? FileManager.default.removeItem(at: file) }
            // Nothing happens if the dialog is cancelled.
            fixture.activate("Save the Report")
            fixture.files.answer = FileDialog.Answer(uri: file.absoluteString)
            let shown = fixture.report.value
            fixture.report.value = "another one, which nobody has seen"
            fixture.activate("Save the Report")
            waitUntil("it is told") { fixture.labels.contains("The report is saved") }
            XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), shown)
            fixture.files.answer = FileDialog.Answer(uri: "file:///proc/no/file")
            fixture.activate("Save the Report")
            waitUntil("the reason is told") {
                fixture.labels.contains { $0.hasPrefix("The file could not be used: ") }
            }
            fixture.clear()
        }
    }

    func testUnknownValueIsShownAndKept() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.settings[text: "tone-device"] = "hw:9"
            XCTAssertEqual(fixture.choice("Tones and Calls"), "hw:9 (not connected)")
            fixture.settings[text: "tone-plan"] = "xx"
            XCTAssertEqual(fixture.choice("Network Sounds"), "xx (not found)")
            fixture.settings[count: "lock-after"] = 30
            XCTAssertEqual(fixture.choice("Lock After"), "30 Minutes")
            XCTAssertEqual(fixture.settings[text: "tone-device"], "hw:9")
            XCTAssertEqual(fixture.settings[text: "tone-plan"], "xx")
            XCTAssertEqual(fixture.settings[count: "lock-after"], 30)
            fixture.clear()
        }
    }

    func testEachPageResetsItsOwnSettings() throws {
        try onMainActor {
            let list = try CallsPageFixture()
            let voice = VoiceMessages(device: list.device, calls: list.phone.calls, clock: list.clock)
            let fixture = try PreferencesFixture(machine: list.machine, voice: voice)
            defer { list.clear() }
            let pages: [(PreferencesPageName, [String])] = [
                (.phone, Array(PreferencesFixture.keys[..<21])),
                (
                    .lines,
                    [
                        "dial-line", "sip-strangers", "unknown-callers", "hidden-callers",
                        "calls-by-relay", "allow-unencrypted-calls",
                    ] + AnsweringGroup.keys
                ),
                (
                    .messages,
                    [
                        "panel-visible", "my-messages-side", "stamp-lines", "real-time-text",
                        "message-styling",
                        "message-spelling", "message-notification", "message-sound",
                        "remove-picture-metadata", "encrypt-by-default",
                    ]
                ), (.lock, ["lock-after"]),
            ]
            change(fixture.settings)
            XCTAssertEqual(
                PreferencesFixture.keys.filter {
                    !fixture.settings.isChosen($0) && !$0.hasPrefix("jabber") && $0 != "sip-accounts"
                }, [])
            fixture.settings[text: "jabber-jid"] = "ada@example.org"
            for (index, (page, keys)) in pages.enumerated() {
                fixture.show(page)
                let shown = try XCTUnwrap(fixture.page)
                let reset = try XCTUnwrap(
                    descendants(of: shown).first { title(of: $0) == "Reset to Defaults" })
                XCTAssertNotEqual(gtk_widget_get_sensitive(reset), 0)
                hdy_action_row_activate(reset.cast())
                XCTAssertEqual(keys.filter(fixture.settings.isChosen), [])
                XCTAssertEqual(gtk_widget_get_sensitive(reset), 0, "there is nothing left to reset")
                let others = pages[(index + 1)...].flatMap(\.1)
                XCTAssertEqual(
                    others.filter { !fixture.settings.isChosen($0) }, [], "the other pages' are as they were")
            }
            XCTAssert(fixture.settings.isChosen("jabber-jid"), "an account is removed by its own row")
            fixture.clear()
        }
    }

    func testSearchFindsRowOfAnyPage() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            fixture.type(GDK_KEY_f, with: Modifier.control)
            fixture.type("lock")
            waitUntil("the row is found") {
                fixture.labels.contains("Lock After") && !fixture.labels.contains("Pulse Dialling")
            }
            fixture.type(GDK_KEY_Escape)
            waitUntil("the page is back") { fixture.labels.contains("Pulse Dialling") }
            fixture.clear()
        }
    }

    func testEscapeClosesWindowAndLeavesNothing() throws {
        try onMainActor {
            let fixture = try PreferencesFixture()
            gtk_widget_grab_focus(fixture.row("Number Format"))
            fixture.type(GDK_KEY_Escape)
            waitUntil("the window is closed") { fixture.preferences.window == nil }
            fixture.settings[text: "number-format"] = "regional"
            fixture.show(.lines)
            XCTAssertEqual(fixture.choice("Number Format"), "Regional")
            fixture.clear()
        }
    }

    func testOpensAtGivenPage() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .about)
            XCTAssert(fixture.labels.contains("1.2.3"))
            fixture.show(.lines)
            XCTAssert(fixture.labels.contains("Dial"))
            fixture.show(nil)
            XCTAssert(fixture.labels.contains("Dial"))
            fixture.clear()
        }
    }

}

/// Changes every setting of Preferences.
@MainActor
private func change(_ settings: Settings) {
    for (key, value) in [
        ("number-format", "regional"), ("region", "GB"), ("number-pad", "never"), ("tone-set", "x"),
        ("tone-plan", "de"), ("tone-device", "x"), ("microphone-device", "x"), ("ring-device", "x"),
        ("dial-line", "tel"),
        ("sip-strangers", "decline"), ("unknown-callers", "machine"), ("hidden-callers", "decline"),
        ("my-messages-side", "right"), ("answering-whom", "unknown"), ("answering-greeting", "/hello.wav"),
        ("stamp-lines", "runs"), ("calls-by-relay", "always"), ("real-time-text", "never"),
    ] { settings[text: key] = value }
    for key in ["tone-level", "ring-level", "microphone-gain"] { settings[number: key] = -12 }
    for key in [
        "pulse-dialling", "key-click", "do-not-disturb", "run-in-background", "autostart",
        "allow-unencrypted-calls", "answering-machine", "global-shortcuts",
    ] {
        settings[flag: key] = true
    }
    for key in [
        "panel-visible", "message-styling", "message-spelling", "message-notification", "message-sound",
        "remove-picture-metadata", "encrypt-by-default", "status-icon", "pause-media", "keep-call-text",
        "headset-keys", "answering-aloud", "recording-tone", "noise-suppression",
    ] {
        settings[flag: key] = false
    }
    (settings[count: "answering-after"], settings[count: "answering-length"]) = (10, 60)
    settings[count: "lock-after"] = 15
    settings[list: "quiet-schedule"] = ["Mo-Fr 22:00-07:00"]
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

/// Chooses a value as the row's list does.
@MainActor
private func choose(
    _ label: String, in row: UnsafeMutablePointer<GtkWidget>, of fixture: PreferencesFixture, _ title: String
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
