// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the codecs of a SIP account in Preferences.
final class CodecRowsTests: GtkTestCase {
    @MainActor private static func makeFixture() throws -> (PreferencesFixture, Settings) {
        let ada = TelephoneAccount(id: "ada", address: "sip:ada@example.org", state: .registered)
        let fixture = try PreferencesFixture(page: .lines, lines: [], telephone: FakeTelephone(ada))
        let settings = try Resources(folder: "\(Checkout.folder)/data").accountSettings("ada")
        settings.reset("codecs")
        fixture.activate("ada@example.org")
        fixture.activate("Advanced")
        return (fixture, settings)
    }

    private static let names = ["Opus", "G.722", "G.711 A-law (PCMA)", "G.711 µ-law (PCMU)"]

    /// Returns the numbers of the codecs in the order of their rows, followed by how many are turned on.
    @MainActor private static func order(_ fixture: PreferencesFixture) -> [Int] {
        let rows = names.compactMap { name in fixture.row(name).map { (name, $0) } }
            .sorted { gtk_list_box_row_get_index($0.1.cast()) < gtk_list_box_row_get_index($1.1.cast()) }
        let count = rows.count { name, _ in
            fixture.control(name, type: gtk_switch_get_type()).map { gtk_switch_get_active($0.cast()) != 0 }
                ?? false
        }
        return rows.compactMap { names.firstIndex(of: $0.0) } + [count]
    }

    /// Returns the button with an accessible name.
    @MainActor private static func button(_ name: String, _ fixture: PreferencesFixture) throws -> Widget {
        try XCTUnwrap(
            descendants(of: fixture.widget).first {
                cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
            }, name)
    }

    func testCodecsAreMovedByKeyboard() throws {
        try onMainActor {
            let (fixture, settings) = try Self.makeFixture()
            XCTAssertEqual(Self.order(fixture), [0, 1, 2, 3, 4])
            XCTAssertEqual(gtk_widget_get_sensitive(try Self.button("Move Opus Up", fixture)), 0)
            gtk_widget_grab_focus(try Self.button("Move G.711 A-law (PCMA) Up", fixture))
            fixture.type(GDK_KEY_space)
            waitUntil("it is moved") { settings[list: "codecs"] == ["opus", "PCMA", "G722", "PCMU"] }
            XCTAssertEqual(Self.order(fixture), [0, 2, 1, 3, 4])
            // The focus stays on the codec, whose key can be pressed again.
            fixture.type(GDK_KEY_space)
            waitUntil("it is moved on") { settings[list: "codecs"] == ["PCMA", "opus", "G722", "PCMU"] }
            XCTAssertNotEqual(
                gtk_widget_has_focus(try Self.button("Move G.711 A-law (PCMA) Down", fixture)), 0)
            fixture.type(GDK_KEY_space)
            fixture.type(GDK_KEY_space)
            waitUntil("it is moved back") { settings[list: "codecs"].isEmpty }
            fixture.clear()
        }
    }

    func testCodecsAreTurnedOffExceptTheLast() throws {
        try onMainActor {
            let (fixture, settings) = try Self.makeFixture()
            @MainActor func turn(_ name: String, _ isOn: Bool) throws {
                let control = try XCTUnwrap(fixture.control(name, type: gtk_switch_get_type()))
                XCTAssertEqual(accessibleName(of: control), "Use \(name)")
                gtk_switch_set_active(control.cast(), isOn ? 1 : 0)
            }
            try turn("Opus", false)
            waitUntil("it is off") { settings[list: "codecs"] == ["G722", "PCMA", "PCMU"] }
            XCTAssertEqual(Self.order(fixture), [1, 2, 3, 0, 3], "it comes last")
            try turn("G.722", false)
            waitUntil("it is off") { settings[list: "codecs"] == ["PCMA", "PCMU"] }
            try turn("G.711 A-law (PCMA)", false)
            waitUntil("it is off") { settings[list: "codecs"] == ["PCMU"] }
            let last = try XCTUnwrap(fixture.control("G.711 µ-law (PCMU)", type: gtk_switch_get_type()))
            XCTAssertEqual(gtk_widget_get_sensitive(last), 0, "a call needs a codec")
            try turn("Opus", true)
            waitUntil("it is on") { settings[list: "codecs"] == ["PCMU", "opus"] }
            settings[list: "codecs"] = ["pcma", "unknown", "opus"]
            XCTAssertEqual(Self.order(fixture), [2, 0, 1, 3, 2], "a change from outside is shown")
            settings.reset("codecs")
            fixture.clear()
        }
    }
}
