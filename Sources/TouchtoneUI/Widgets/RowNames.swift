// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Sets the accessible names of libhandy's groups and rows, which have none by default.
@MainActor
enum RowNames {
    /// Names each group and row below a widget after its title.
    ///
    /// A row is described by its subtitle, unless it has a description. A screen reader speaks the name of a group when
    /// the focus enters it: the groups of two lines have the same rows.
    static func set(in widget: Widget) {
        WidgetTree.visit(widget) { row in
            if cgtk_instance_is_a(row, hdy_preferences_group_get_type()) != 0 {
                hdy_preferences_group_get_title(row.cast()).map { cgtk_widget_set_accessible(row, $0, nil) }
            }
            guard cgtk_instance_is_a(row, hdy_preferences_row_get_type()) != 0 else { return }
            cgtk_widget_set_accessible(row, hdy_preferences_row_get_title(row.cast()), description(of: row))
        }
    }

    /// Returns the description of a row, its subtitle or its key caps, or nil if it has one already.
    private static func description(of row: Widget) -> String? {
        let known =
            atk_object_get_description(gtk_widget_get_accessible(row)).map { $0.pointee != 0 } ?? false
        guard !known, cgtk_instance_is_a(row, hdy_action_row_get_type()) != 0 else { return nil }
        if let subtitle = hdy_action_row_get_subtitle(row.cast()), subtitle.pointee != 0 {
            return String(cString: subtitle)
        }
        var keys: [String] = []
        WidgetTree.visit(row) { label in
            guard gtk_style_context_has_class(gtk_widget_get_style_context(label), "keycap") != 0,
                let text = gtk_label_get_text(label.cast())
            else { return }
            keys.append(String(cString: text))
        }
        return keys.isEmpty ? nil : localizedList(keys)
    }
}
