// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import GtkTestSupport
import XCTest

@testable import TouchtoneUI

// MARK: - Accessible objects

extension WorkedIn {
    /// Returns the widget with an accessible name and a role.
    func find(_ name: String, _ role: AtkRole) -> Widget? {
        descendants(of: widget).first {
            atk_object_get_role(gtk_widget_get_accessible($0)) == role && accessibleName(of: $0) == name
                && gtk_widget_is_visible($0) != 0
        }
    }

    /// Returns a list box.
    func list(_ name: String) -> Widget? { find(name, ATK_ROLE_LIST_BOX) }

    /// Returns the accessible names of a list's rows, in order.
    func rows(_ list: String) -> [String] {
        guard let list = self.list(list) else { return [] }
        let accessible = gtk_widget_get_accessible(list)
        return (0..<atk_object_get_n_accessible_children(accessible)).compactMap { index in
            guard let child = atk_object_ref_accessible_child(accessible, index) else { return nil }
            defer { g_object_unref(child) }
            return atk_object_get_name(child).map { String(cString: $0) }
        }
    }

    /// Returns the row of a list whose name is or starts with a text.
    func row(_ list: String, _ name: String) -> Widget? {
        guard let list = self.list(list) else { return nil }
        return descendants(of: list).first {
            atk_object_get_role(gtk_widget_get_accessible($0)) == ATK_ROLE_LIST_ITEM
                && accessibleName(of: $0)?.hasPrefix(name) == true
        }
    }

    func button(_ name: String) -> Widget? {
        descendants(of: widget).first {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == name
                && gtk_widget_is_visible($0) != 0
        }
    }

    func click(_ target: Widget?, button: UInt32 = 1, file: StaticString = #filePath, line: UInt = #line) {
        guard let target else { return XCTFail("nothing to click", file: file, line: line) }
        tap(target, button: button)
    }

    /// Returns the accessible description of a widget.
    func description(of widget: Widget?) -> String {
        widget.flatMap { atk_object_get_description(gtk_widget_get_accessible($0)) }.map {
            String(cString: $0)
        } ?? ""
    }

    /// Returns the texts of the visible labels in a widget.
    func labels(in widget: Widget?) -> [String] {
        guard let widget else { return [] }
        return descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_label_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }.map { String(cString: gtk_label_get_text($0.cast())) }
    }

    /// Types a key of the keyboard with a modifier held.
    func type(_ character: Character, with modifier: gint) {
        for scalar in character.unicodeScalars { type(gint(scalar.value), with: modifier) }
    }

    /// Moves the focus into a list by the keyboard.
    func enter(_ name: String) {
        gtk_window_set_focus(widget.cast(), nil)
        gtk_widget_child_focus(list(name), GTK_DIR_TAB_FORWARD)
    }

    /// The text of the clipboard.
    var clipboard: String? {
        let text = Variable<String??>(nil)
        Clipboard.read { text.value = .some($0) }
        waitUntil("the clipboard answers") { text.value != nil }
        return text.value.flatMap { $0 }
    }

    /// The item of the open menu that the keyboard has chosen; nil for none.
    var selectedMenuItem: String? {
        guard let menu = gtk_grab_get_current(), cgtk_instance_is_a(menu, gtk_menu_get_type()) != 0,
            let item = gtk_menu_shell_get_selected_item(menu.cast())
        else { return nil }
        return String(cString: gtk_menu_item_get_label(item.cast()))
    }

    /// The items of the open menu.
    var menuItems: [String] {
        guard let menu = gtk_grab_get_current(), cgtk_instance_is_a(menu, gtk_menu_get_type()) != 0 else {
            return []
        }
        return descendants(of: menu).filter {
            cgtk_instance_is_a($0, gtk_menu_item_get_type()) != 0
                && cgtk_instance_is_a($0, gtk_separator_menu_item_get_type()) == 0
        }.map { String(cString: gtk_menu_item_get_label($0.cast())) }
    }
}
