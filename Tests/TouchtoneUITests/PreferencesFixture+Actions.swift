// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

// The actions of a user in Preferences, and what the rows and fields show.
extension PreferencesFixture {
    /// Activates the row with a title.
    func activate(_ title: String) {
        guard let row = row(title) else { return XCTFail("there is no row \(title)") }
        hdy_action_row_activate(row.cast())
        handleEvents()
    }

    /// Returns whether the row with a title is visible; nil if there is none.
    func isShown(_ title: String) -> Bool? { row(title).map { gtk_widget_get_visible($0) != 0 } }

    /// Returns the second line of the row with a title.
    func subtitle(_ title: String) -> String {
        row(title).flatMap { hdy_action_row_get_subtitle($0.cast()) }.map { String(cString: $0) } ?? "no row"
    }

    /// Returns the key of a row, which has an icon.
    func key(_ name: String) -> Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
        }
    }

    /// Enters a text into a field.
    func fill(_ field: String, _ text: String) {
        guard let entry = self.field(field) else { return XCTFail("there is no field \(field)") }
        gtk_entry_set_text(entry.cast(), text)
    }

    /// Returns the text of a field.
    func text(_ field: String) -> String {
        self.field(field).flatMap { gtk_entry_get_text($0.cast()) }.map { String(cString: $0) } ?? "no field"
    }

    /// Returns the button with a label.
    func button(_ label: String) -> Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
                && gtk_button_get_label($0.cast()).map { String(cString: $0) } == label
        }
    }

    /// Returns whether the button with a label can be pressed.
    func isSensitive(_ label: String) throws -> Bool {
        gtk_widget_get_sensitive(try XCTUnwrap(button(label), label)) != 0
    }

    /// Presses the button with a label.
    func press(_ label: String) {
        guard let button = button(label) else { return XCTFail("there is no button \(label)") }
        gtk_button_clicked(button.cast())
        handleEvents()
    }

    /// The message dialog that is open.
    var dialog: Widget? {
        let list = gtk_window_list_toplevels()
        defer { g_list_free(list) }
        return sequence(first: list, next: { $0?.pointee.next }).prefix { $0 != nil }
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: GtkWidget.self) }
            .first {
                cgtk_instance_is_a($0, gtk_message_dialog_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
            }
    }
}
