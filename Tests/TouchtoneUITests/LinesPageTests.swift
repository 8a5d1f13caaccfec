// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the lines in Preferences.
final class LinesPageTests: GtkTestCase {
    func testEachLineHasItsRules() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(
                page: .lines,
                lines: [FixedLine("tel", .unavailable(reason: "No other program is installed."))])
            XCTAssert(fixture.labels.contains("Desktop Phone App"))
            XCTAssert(fixture.labels.contains("No other program is installed."))
            XCTAssert(fixture.labels.contains("Practice Exchange"))
            let fields = prefixes(in: fixture)
            XCTAssertEqual(fields.map { accessibleName(of: $0) }, ["Prefix", "Prefix"])
            XCTAssertEqual(lineNames(in: fixture), ["Desktop Phone App", "Practice Exchange"])
            let (tel, practice) = (try settings("tel"), try settings("practice"))
            gtk_entry_set_text(fields[0].cast(), "*67")
            XCTAssertEqual(tel[text: "prefix"], "*67")
            XCTAssertEqual(practice[text: "prefix"], "")
            practice[text: "prefix"] = "9"
            XCTAssertEqual(text(of: fields[1]), "9")
            XCTAssertEqual(text(of: fields[0]), "*67")
            tel[text: "form"] = "international"
            XCTAssertEqual(fixture.choice("Outgoing Number Format"), "International")
            reset()
            fixture.clear()
        }
    }

    func testCurrentLineIsNamed() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(
                page: .lines,
                lines: [FixedLine("tel", .unavailable(reason: "No other program is installed."))])
            let used = { fixture.labels.filter { $0.hasPrefix("DIAL uses this line.") } }
            XCTAssertEqual(used().map { $0.contains("A simulated exchange") }, [true])
            fixture.settings[text: "dial-line"] = "tel"
            handleEvents()
            XCTAssertEqual(used().map { $0.contains("No other program") }, [true])
            fixture.clear()
        }
    }

    func testLinesAppearDisappearAndShowState() throws {
        try onMainActor {
            let tel = FixedLine("tel", .connecting)
            let fixture = try PreferencesFixture(page: .lines, lines: [])
            XCTAssertEqual(lineNames(in: fixture), ["Practice Exchange"])
            fixture.lines.add(tel)
            XCTAssert(fixture.labels.contains("Desktop Phone App"))
            XCTAssertEqual(lineNames(in: fixture), ["Desktop Phone App", "Practice Exchange"])
            XCTAssert(fixture.labels.contains("The line is being connected."))
            tel.state = .unavailable(reason: "There is none.")
            XCTAssert(fixture.labels.contains("There is none."))
            tel.state = .available
            XCTAssert(fixture.labels.contains { $0.hasPrefix("DIAL uses this line. Opens the number") })
            fixture.lines.remove("tel")
            XCTAssertEqual(lineNames(in: fixture), ["Practice Exchange"])
            XCTAssert(fixture.labels.contains { $0.hasPrefix("DIAL uses this line. A simulated exchange") })
            fixture.clear()
        }
    }

    func testInvalidPrefixIsMarkedAndNotSaved() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines)
            let (field, settings) = (prefixes(in: fixture)[0], try settings("tel"))
            for (typed, kept) in [
                ("9", "9"), ("9+", "9"), ("", ""), ("9,", ""), ("101-0288", "1010288"), ("x", "1010288"),
            ] {
                gtk_entry_set_text(field.cast(), typed)
                XCTAssertEqual(settings[text: "prefix"], kept, typed)
                let isMarked = gtk_style_context_has_class(gtk_widget_get_style_context(field), "error") != 0
                XCTAssertEqual(isMarked, LineGroup.prefix(typed) == nil, typed)
                XCTAssertEqual(text(of: field), typed, "what is typed is left to who types")
            }
            reset()
            fixture.clear()
        }
    }

    func testPadOpensBelowPrefix() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines)
            fixture.settings[text: "number-pad"] = "always"
            gtk_widget_grab_focus(prefixes(in: fixture)[1])
            waitUntil("the pad is there") { hasPad(fixture) }
            fixture.clear()
        }
    }

    func testResetRestoresRulesToo() throws {
        try onMainActor {
            let fixture = try PreferencesFixture(page: .lines)
            let practice = try settings("practice")
            practice[text: "prefix"] = "9"
            let page = try XCTUnwrap(fixture.page)
            let reset = try XCTUnwrap(
                descendants(of: page).first {
                    cgtk_instance_is_a($0, hdy_preferences_row_get_type()) != 0
                        && hdy_preferences_row_get_title($0.cast()).map { String(cString: $0) }
                            == "Reset to Defaults"
                })
            XCTAssertNotEqual(gtk_widget_get_sensitive(reset), 0)
            hdy_action_row_activate(reset.cast())
            XCTAssertFalse(practice.isChosen("prefix"))
            XCTAssertEqual(gtk_widget_get_sensitive(reset), 0)
            // The group follows all lines.
            XCTAssertGreaterThan(
                try top(of: reset, in: fixture), try top(of: prefixes(in: fixture)[1], in: fixture))
            fixture.clear()
        }
    }
}

@MainActor
private func settings(_ line: String) throws -> Settings {
    try Resources(folder: "\(Checkout.folder)/data").lineSettings(line)
}

@MainActor
private func reset() {
    for line in ["tel", "practice"] {
        for key in LineSettings.keys { try? settings(line).reset(key) }
    }
}

/// Returns the prefix fields of the page, in the order of the lines.
@MainActor
private func prefixes(in fixture: PreferencesFixture) -> [UnsafeMutablePointer<GtkWidget>] {
    guard let page = fixture.page else { return [] }
    return descendants(of: page).filter { cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 }
}

/// Returns the lines that the fields are described by.
@MainActor
private func lineNames(in fixture: PreferencesFixture) -> [String?] {
    prefixes(in: fixture).map {
        atk_object_get_description(gtk_widget_get_accessible($0)).map { String(cString: $0) }
    }
}

@MainActor
private func text(of entry: UnsafeMutablePointer<GtkWidget>) -> String {
    gtk_entry_get_text(entry.cast()).map { String(cString: $0) } ?? ""
}

@MainActor
private func top(of widget: UnsafeMutablePointer<GtkWidget>, in fixture: PreferencesFixture) throws -> gint {
    var y: gint = 0
    gtk_widget_translate_coordinates(widget, try XCTUnwrap(fixture.page), 0, 0, nil, &y)
    return y
}

/// Whether the number pad is above the window.
@MainActor
private func hasPad(_ fixture: PreferencesFixture) -> Bool {
    let frame = gtk_widget_get_accessible(fixture.widget)
    return (0..<atk_object_get_n_accessible_children(frame)).contains { index in
        let child = atk_object_ref_accessible_child(frame, index)
        defer { child.map { g_object_unref($0) } }
        return child.flatMap { atk_object_get_name($0) }.map { String(cString: $0) } == "Number pad"
    }
}
