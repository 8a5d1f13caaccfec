// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Keeps the focus of the Preferences window in the fields: what is typed may be a password.
@MainActor
enum FieldRows {
    /// Makes Tab and the arrow keys pass over each row below a widget that has a field, and stop at the field.
    ///
    /// The field is described as its row, whose subtitle may change.
    static func set(in widget: Widget) {
        WidgetTree.visit(widget) { row in
            guard cgtk_instance_is_a(row, hdy_action_row_get_type()) != 0, gtk_widget_get_can_focus(row) != 0,
                let field = hdy_action_row_get_activatable_widget(row.cast()), field.takesText
            else { return }
            gtk_widget_set_can_focus(row, 0)
            // The row's own handler would stop at the row.
            Signal.connectFocus(row) { direction in
                g_signal_stop_emission_by_name(UnsafeMutableRawPointer(row), "focus")
                return gtk_bin_get_child(row.cast()).map { gtk_widget_child_focus($0, direction) != 0 }
                    ?? false
            }
            follow(row, with: field)
        }
    }

    /// Describes a field that has no description of its own.
    private static func follow(_ row: Widget, with field: Widget) {
        let own = atk_object_get_description(gtk_widget_get_accessible(field)).map { String(cString: $0) }
        guard own?.isEmpty != false else { return }
        describe(field, by: row)
        Signal.connectNotify(row, "notify::subtitle") { describe(field, by: row) }
    }

    private static func describe(_ field: Widget, by row: Widget) {
        let subtitle = hdy_action_row_get_subtitle(row.cast()).map { String(cString: $0) } ?? ""
        if !subtitle.isEmpty { field.setAccessible(description: subtitle) }
    }

    /// Makes typing in a Preferences window go to the focused widget only.
    ///
    /// Otherwise libhandy would open the search, and show there what is typed. Ctrl+F and the button still open it.
    static func stopSearchAsYouType(in window: Widget) {
        Signal.connectEvent(window, "event") { event in
            guard event.pointee.type == GDK_KEY_PRESS else { return false }
            let key = event.pointee.key
            let isControl = key.state & GDK_CONTROL_MASK.rawValue != 0
            let isSearch = isControl && Keyboard.latinLetter(of: key) == "f"
            // libhandy closes subpages and the window with Escape.
            guard !isSearch, Int32(bitPattern: key.keyval) != GDK_KEY_Escape else { return false }
            let instance = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GTypeInstance.self)
            let type = UnsafeMutableRawPointer(instance.pointee.g_class)?
                .assumingMemoryBound(to: GtkWidgetClass.self)
            _ = type?.pointee.key_press_event(window, &event.pointee.key)
            return true
        }
    }
}
