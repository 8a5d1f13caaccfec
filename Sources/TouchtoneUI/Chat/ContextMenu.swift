// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A menu that comes at the pointer or at a widget, and is gone once something of it is taken.
@MainActor
struct ContextMenu {
    /// Something that can be done; nil is a line between.
    struct Item {
        let label: String
        let isEnabled: Bool
        let action: @MainActor () -> Void

        init(_ label: String, isEnabled: Bool = true, _ action: @escaping @MainActor () -> Void) {
            self.label = label
            self.isEnabled = isEnabled
            self.action = action
        }
    }

    /// What it offers; nil is a line between.
    var items: [Item?]

    /// Opens the menu: at the pointer for an event of one, or else under the widget.
    func open(at widget: Widget, event: UnsafeMutablePointer<GdkEvent>?) {
        guard !items.isEmpty else { return }
        let menu: Widget = gtk_menu_new()
        for item in items {
            guard let item else {
                gtk_menu_shell_append(menu.cast(), gtk_separator_menu_item_new())
                continue
            }
            let entry: Widget = gtk_menu_item_new_with_label(item.label)
            gtk_widget_set_sensitive(entry, item.isEnabled ? 1 : 0)
            Signal.connect(entry, "activate", item.action)
            gtk_menu_shell_append(menu.cast(), entry)
        }
        gtk_widget_show_all(menu)
        gtk_menu_attach_to_widget(menu.cast(), widget, nil)
        let address = UInt(bitPattern: menu)
        Signal.connect(menu, "selection-done") {
            // Not within its own signal.
            MainLoop.soon {
                if let menu = Widget(bitPattern: address) { gtk_widget_destroy(menu) }
            }
        }
        if let event {
            gtk_menu_popup_at_pointer(menu.cast(), event)
        } else {
            gtk_menu_popup_at_widget(menu.cast(), widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, nil)
            gtk_menu_shell_select_first(menu.cast(), 1)
        }
    }
}
