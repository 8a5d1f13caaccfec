// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// The lines in Preferences.
final class LinesPageTests: GtkTestCase {
    func testEachLineHasItsRules() throws {
        try onMainActor {
            let desk = try PreferencesDesk(
                page: .lines,
                lines: [FixedLine("tel", .unavailable(reason: "No other program is installed."))])
            XCTAssert(desk.labels.contains("The Program for tel: Links"))
            XCTAssert(desk.labels.contains("No other program is installed."))
            XCTAssert(desk.labels.contains("The Practice Exchange"))
            let fields = prefixes(in: desk)
            XCTAssertEqual(fields.map { accessibleName(of: $0) }, ["Prefix", "Prefix"])
            XCTAssertEqual(lineNames(in: desk), ["The Program for tel: Links", "The Practice Exchange"])
            let (tel, practice) = (try settings("tel"), try settings("practice"))
            gtk_entry_set_text(fields[0].cast(), "*67")
            XCTAssertEqual(tel[text: "prefix"], "*67")
            XCTAssertEqual(practice[text: "prefix"], "")
            practice[text: "prefix"] = "9"
            XCTAssertEqual(text(of: fields[1]), "9")
            XCTAssertEqual(text(of: fields[0]), "*67")
            tel[text: "form"] = "international"
            XCTAssertEqual(desk.choice("Outgoing Number Format"), "International")
            reset()
            desk.clear()
        }
    }

    func testTheLineThatDialUsesIsNamed() throws {
        try onMainActor {
            let desk = try PreferencesDesk(
                page: .lines,
                lines: [FixedLine("tel", .unavailable(reason: "No other program is installed."))])
            let used = { desk.labels.filter { $0.hasPrefix("DIAL uses this line.") } }
            XCTAssertEqual(used().map { $0.contains("Inside this program") }, [true])
            desk.settings[text: "dial-line"] = "tel"
            handleEvents()
            XCTAssertEqual(used().map { $0.contains("No other program") }, [true])
            desk.clear()
        }
    }

    func testLinesComeAndGoAndTellTheirState() throws {
        try onMainActor {
            let tel = FixedLine("tel", .connecting)
            let desk = try PreferencesDesk(page: .lines, lines: [])
            XCTAssertEqual(lineNames(in: desk), ["The Practice Exchange"])
            desk.lines.add(tel)
            XCTAssert(desk.labels.contains("The Program for tel: Links"))
            XCTAssertEqual(lineNames(in: desk), ["The Program for tel: Links", "The Practice Exchange"])
            XCTAssert(desk.labels.contains("The line is being connected."))
            tel.state = .unavailable(reason: "There is none.")
            XCTAssert(desk.labels.contains("There is none."))
            tel.state = .available
            XCTAssert(desk.labels.contains { $0.hasPrefix("DIAL uses this line. The number is handed") })
            desk.lines.remove("tel")
            XCTAssertEqual(lineNames(in: desk), ["The Practice Exchange"])
            XCTAssert(desk.labels.contains { $0.hasPrefix("DIAL uses this line. Inside this program") })
            desk.clear()
        }
    }

    func testWhatIsNoPrefixIsMarkedAndNotKept() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lines)
            let (field, settings) = (prefixes(in: desk)[0], try settings("tel"))
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
            desk.clear()
        }
    }

    func testThePadOpensUnderThePrefix() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lines)
            desk.settings[text: "number-pad"] = "always"
            gtk_widget_grab_focus(prefixes(in: desk)[1])
            waitUntil("the pad is there") { hasPad(desk) }
            desk.clear()
        }
    }

    func testResetTakesTheRulesBackToo() throws {
        try onMainActor {
            let desk = try PreferencesDesk(page: .lines)
            let practice = try settings("practice")
            practice[text: "prefix"] = "9"
            let page = try XCTUnwrap(desk.page)
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
            // It stands below all lines.
            XCTAssertGreaterThan(try top(of: reset, in: desk), try top(of: prefixes(in: desk)[1], in: desk))
            desk.clear()
        }
    }
}

@MainActor
private func settings(_ line: String) throws -> Settings {
    try LineSettings.open(line, resources: Resources(folder: "\(Checkout.folder)/data"))
}

@MainActor
private func reset() {
    for line in ["tel", "practice"] {
        for key in LineSettings.keys { try? settings(line).reset(key) }
    }
}

/// The fields of the page, in the order of the lines.
@MainActor
private func prefixes(in desk: PreferencesDesk) -> [UnsafeMutablePointer<GtkWidget>] {
    guard let page = desk.page else { return [] }
    return descendants(of: page).filter { cgtk_instance_is_a($0, gtk_entry_get_type()) != 0 }
}

/// The lines that the fields are described by.
@MainActor
private func lineNames(in desk: PreferencesDesk) -> [String?] {
    prefixes(in: desk).map {
        atk_object_get_description(gtk_widget_get_accessible($0)).map { String(cString: $0) }
    }
}

@MainActor
private func text(of entry: UnsafeMutablePointer<GtkWidget>) -> String {
    gtk_entry_get_text(entry.cast()).map { String(cString: $0) } ?? ""
}

@MainActor
private func top(of widget: UnsafeMutablePointer<GtkWidget>, in desk: PreferencesDesk) throws -> gint {
    var y: gint = 0
    gtk_widget_translate_coordinates(widget, try XCTUnwrap(desk.page), 0, 0, nil, &y)
    return y
}

/// Whether the number pad is over the window.
@MainActor
private func hasPad(_ desk: PreferencesDesk) -> Bool {
    let frame = gtk_widget_get_accessible(desk.widget)
    return (0..<atk_object_get_n_accessible_children(frame)).contains { index in
        let child = atk_object_ref_accessible_child(frame, index)
        defer { child.map { g_object_unref($0) } }
        return child.flatMap { atk_object_get_name($0) }.map { String(cString: $0) } == "Number pad"
    }
}
