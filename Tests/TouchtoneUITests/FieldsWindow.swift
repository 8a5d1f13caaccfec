// SPDX-License-Identifier: GPL-3.0-or-later

import CXTest
import GtkBridge
import GtkTestSupport
import TestSupport
import XCTest

@testable import TouchtoneUI

/// A window with fields for numbers and text on the test screen, side by side, so that the pad of one covers none of
/// the others.
@MainActor
final class FieldsWindow: WorkedIn {
    let widget: UnsafeMutablePointer<GtkWidget>
    let settings: Settings
    let pad: NumberPad
    private(set) var fields: [UnsafeMutablePointer<GtkWidget>] = []
    private let style: Style

    /// The kind of a field, from the left.
    enum Kind {
        case text
        case number(NumberField.Content)
    }

    init(_ kinds: [Kind], mode: String = "always") throws {
        let resources = Resources(folder: "\(Checkout.folder)/data")
        settings = try Settings(schema: Resources.applicationID, folders: resources.schemaFolders)
        settings[text: "number-pad"] = mode
        style = try Style(resources: resources)
        pad = NumberPad(resources: resources, settings: settings)
        widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_default_size(widget.cast(), 660, 360)
        let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        gtk_widget_set_valign(box, GTK_ALIGN_START)
        gtk_container_add(widget.cast(), box)
        for kind in kinds {
            guard let entry = gtk_entry_new() else { continue }
            gtk_box_pack_start(box?.cast(), entry, 1, 1, 0)
            fields.append(entry)
            if case .number(let content) = kind { pad.attach(to: entry.cast(), taking: content) }
        }
        gtk_widget_show_all(widget)
        gtk_window_set_focus(widget.cast(), nil)
        movePointerAway()
        gtk_test_widget_wait_for_draw(widget)
        focus()
        gtk_window_set_focus(widget.cast(), nil)
    }

    func clear() {
        cxtest_button(1, false)
        if !isDestroyed { gtk_widget_destroy(widget) }
        handleEvents()
    }

    /// Whether the test has destroyed the window.
    var isDestroyed = false

    /// Clicks a widget with the pointer.
    func click(_ other: UnsafeMutablePointer<GtkWidget>) {
        tap(other)
    }

    /// Clicks a key of the pad by its accessible name.
    func clickPad(_ name: String, file: StaticString = #filePath, line: UInt = #line) {
        guard let key = padKey(name) else { return XCTFail("no key \(name)", file: file, line: line) }
        click(key)
    }

    /// Returns a key of the open pad at its final position.
    func padKey(_ name: String) -> UnsafeMutablePointer<GtkWidget>? {
        // A new pad, or one whose window has changed, is placed in the next frame.
        gtk_test_widget_wait_for_draw(widget)
        return pads.lazy.flatMap { descendants(of: $0) }.first { accessibleName(of: $0) == name }
    }

    /// The visible pads, as assistive tools find them: children of the window.
    var pads: [UnsafeMutablePointer<GtkWidget>] {
        let frame = gtk_widget_get_accessible(widget)
        return (0..<atk_object_get_n_accessible_children(frame)).compactMap { index in
            guard let child = atk_object_ref_accessible_child(frame, index) else { return nil }
            defer { g_object_unref(child) }
            let name = atk_object_get_name(child).map { String(cString: $0) }
            guard name == "Number pad", cgtk_instance_is_a(child, gtk_accessible_get_type()) != 0,
                let pad = gtk_accessible_get_widget(child.cast()), gtk_widget_is_visible(pad) != 0
            else { return nil }
            return pad
        }
    }

    /// The numbers, from the left, of the fields that have a pad below them.
    var padPlaces: [Int?] {
        pads.map { pad in fields.firstIndex { gtk_popover_get_relative_to(pad.cast()) == $0 } }
    }

    /// The number of the focused field.
    var focusPlace: Int? {
        let focus = gtk_window_get_focus(widget.cast())
        return fields.firstIndex { $0 == focus }
    }

    func text(_ place: Int) -> String { String(cString: gtk_entry_get_text(fields[place].cast())) }

    func setText(_ text: String, in place: Int) { gtk_entry_set_text(fields[place].cast(), text) }

    /// Returns the start and the end of the selection; both are the caret if nothing is selected.
    func selection(in place: Int) -> Range<Int> {
        var (from, to): (gint, gint) = (0, 0)
        let editable = OpaquePointer(fields[place])
        guard gtk_editable_get_selection_bounds(editable, &from, &to) != 0 else {
            let caret = Int(gtk_editable_get_position(editable))
            return caret..<caret
        }
        return Int(from)..<Int(to)
    }
}

/// Returns the accessible name of a widget.
@MainActor
func accessibleName(of widget: UnsafeMutablePointer<GtkWidget>) -> String? {
    atk_object_get_name(gtk_widget_get_accessible(widget)).map { String(cString: $0) }
}
