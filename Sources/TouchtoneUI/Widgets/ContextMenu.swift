// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// A menu that opens at the pointer or at a widget, and is destroyed after the user chooses an item or closes it.
@MainActor
struct ContextMenu {
    struct Item {
        let label: String
        let isEnabled: Bool
        /// Whether a radio item is selected; nil for an ordinary item.
        let isChosen: Bool?
        let action: @MainActor () -> Void

        init(
            _ label: String, isEnabled: Bool = true, isChosen: Bool? = nil,
            _ action: @escaping @MainActor () -> Void
        ) {
            (self.label, self.isEnabled, self.isChosen) = (label, isEnabled, isChosen)
            self.action = action
        }
    }

    /// The items of the menu; nil is a separator, and ends a group of radio items.
    var items: [Item?]

    /// Opens the menu at the pointer if a pointer event is given, otherwise under the widget.
    ///
    /// - Parameter trigger: The event that requested the menu under the widget, if it is no longer the current event.
    func open(
        at widget: Widget, event: UnsafeMutablePointer<GdkEvent>?,
        trigger: UnsafeMutablePointer<GdkEvent>? = nil
    ) {
        guard !items.isEmpty else { return }
        let menu: Widget = gtk_menu_new()
        var choices: [(entry: Widget, item: Item)] = []
        var chosen: [Widget] = []
        var group: Widget?
        for item in items {
            guard let item else {
                group = nil
                gtk_menu_shell_append(menu.cast(), gtk_separator_menu_item_new())
                continue
            }
            let entry: Widget
            if let isChosen = item.isChosen {
                entry = gtk_radio_menu_item_new_with_label_from_widget(group?.cast(), item.label)
                group = entry
                choices.append((entry, item))
                if isChosen { chosen.append(entry) }
            } else {
                entry = gtk_menu_item_new_with_label(item.label)
                Signal.connect(entry, "activate", item.action)
            }
            gtk_widget_set_sensitive(entry, item.isEnabled ? 1 : 0)
            gtk_menu_shell_append(menu.cast(), entry)
        }
        for entry in chosen { gtk_check_menu_item_set_active(entry.cast(), 1) }
        for (entry, item) in choices {
            // GTK also activates the item that is deselected.
            Signal.connect(entry, "activate") {
                if gtk_check_menu_item_get_active(entry.cast()) != 0 { item.action() }
            }
        }
        gtk_widget_show_all(menu)
        gtk_menu_attach_to_widget(menu.cast(), Self.owner(under: widget), nil)
        let address = UInt(bitPattern: menu)
        Signal.connect(menu, "selection-done") {
            guard let menu = Widget(bitPattern: address) else { return }
            // A widget must not be destroyed during its own signal. It goes earlier with the widget that it belongs to,
            // such as a popover that the chosen item closes.
            let kept = GObjectRef(retaining: menu)
            MainLoop.soon { gtk_widget_destroy(kept.cast()) }
        }
        if let event {
            gtk_menu_popup_at_pointer(menu.cast(), event)
        } else {
            gtk_menu_popup_at_widget(
                menu.cast(), widget, GDK_GRAVITY_SOUTH_WEST, GDK_GRAVITY_NORTH_WEST, trigger)
            Self.select(chosen.first, in: menu)
        }
    }

    /// Selects an item of a menu that was opened by keyboard, or the first one, and lets a screen reader speak it.
    static func select(_ item: Widget? = nil, in menu: Widget) {
        // Items report their selection only from the time when an accessible object of theirs exists.
        gtk_container_foreach(menu.cast(), { item, _ in gtk_widget_get_accessible(item) }, nil)
        if let item {
            gtk_menu_shell_select_item(menu.cast(), item)
        } else {
            gtk_menu_shell_select_first(menu.cast(), 1)
        }
    }

    /// Closes the menu that is open under the widget or under another button of the same row.
    static func close(at widget: Widget) {
        var next = gtk_menu_get_for_attach_widget(owner(under: widget))
        while let entry = next {
            if let menu = entry.pointee.data?.assumingMemoryBound(to: GtkWidget.self), menu.isVisible {
                gtk_menu_shell_cancel(menu.cast())
            }
            next = entry.pointee.next
        }
    }

    /// Returns the widget to attach the menu to: the parent of a button, because GTK hides the menus of buttons from
    /// assistive tools.
    private static func owner(under widget: Widget) -> Widget {
        guard cgtk_instance_is_a(widget, gtk_button_get_type()) != 0 else { return widget }
        return gtk_widget_get_parent(widget) ?? widget
    }
}
