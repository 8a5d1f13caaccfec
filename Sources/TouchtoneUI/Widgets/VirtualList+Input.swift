// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

// Keyboard and pointer input. Tab stops at one row of the list, and the arrow keys move between rows.
extension VirtualList {
    func watchPointer(of viewport: Widget) {
        gtk_widget_add_events(
            viewport, gint(GDK_ENTER_NOTIFY_MASK.rawValue | GDK_LEAVE_NOTIFY_MASK.rawValue))
        Signal.connectEvent(viewport, "enter-notify-event") { [weak self] _ in
            self?.onPointer?(true)
            return false
        }
        Signal.connectEvent(viewport, "leave-notify-event") { [weak self] event in
            // The pointer that moves on a row is still over the list.
            if event.pointee.crossing.detail != GDK_NOTIFY_INFERIOR { self?.onPointer?(false) }
            return false
        }
    }

    func watchTouch() {
        touch.onBegin = { [weak self] in self?.touched = nil }
        touch.onTap = { [weak self] in
            guard let self, let id = touched else { return }
            onActivate?(id, false)
        }
        touch.onLongPress = { [weak self] place, event in
            guard let self, let onMenu, let (id, row) = row(at: place) else { return false }
            onMenu(id, row, event)
            return true
        }
        touch.onSwipe = { [weak self] place in
            guard let self, let (id, _) = row(at: place) else { return }
            onSwipe?(id)
        }
    }

    private func row(at place: TouchGestures.Place) -> (id: ID, row: Row)? {
        built.first { _, row in
            let area = row.box.area(in: listBox)
            return Double(area.y)..<Double(area.y + area.height) ~= place.y
        }
    }

    /// Scrolls a row into view and focuses it.
    func focusRow(_ id: ID) {
        guard heights.index(of: id) != nil else { return }
        setCursor(id)
        reveal(id)
        if let row = row(id) { gtk_widget_grab_focus(row.box) }
    }

    /// Focuses the first row; false if there is none.
    @discardableResult
    func focusFirst() -> Bool {
        guard let first = ids.first else { return false }
        focusRow(first)
        return true
    }

    /// The row that has or contains the focus.
    var focusedID: ID? {
        guard let child = gtk_container_get_focus_child(listBox.cast()) else { return nil }
        return id(ofBox: child)
    }

    func moveFocus(_ direction: GtkDirectionType) -> Bool {
        let isTab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD
        guard let box = gtk_container_get_focus_child(listBox.cast()) else {
            guard let id = entrance else { return false }
            focusRow(id)
            return true
        }
        guard isTab, let inside = gtk_bin_get_child(box.cast()) else { return false }
        let isOnRow = gtk_widget_has_focus(box) != 0
        if direction == GTK_DIR_TAB_FORWARD { return gtk_widget_child_focus(inside, direction) != 0 }
        guard !isOnRow else { return false }
        if gtk_widget_child_focus(inside, direction) == 0 { gtk_widget_grab_focus(box) }
        return true
    }

    /// The row that receives the focus when the focus enters the list.
    private var entrance: ID? {
        if let cursor { return cursor }
        return followsEnd ? ids.last : ids.first
    }

    func keyPressed(_ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        guard let id = focusedID else { return false }
        let key = event.pointee.key
        let value = Int32(bitPattern: key.keyval)
        if isMenuKey(key), let row = row(id) {
            onMenu?(id, row, nil)
            return true
        }
        if onKey?(id, key) == true { return true }
        guard key.state & Self.modifiers == 0 else { return false }
        switch value {
        case GDK_KEY_Up, GDK_KEY_KP_Up: return move(from: id, by: -1)
        case GDK_KEY_Down, GDK_KEY_KP_Down: return move(from: id, by: 1)
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: return move(from: id, by: -rowsOfPage)
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: return move(from: id, by: rowsOfPage)
        case GDK_KEY_Home, GDK_KEY_KP_Home: return move(from: id, by: -ids.count)
        case GDK_KEY_End, GDK_KEY_KP_End: return move(from: id, by: ids.count)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space, GDK_KEY_KP_Space:
            // The window would activate a button in the row only if the list did not take the key.
            if let inside = listBox.focusInWindow, inside != row(id)?.box, gtk_widget_activate(inside) != 0 {
                return true
            }
            onActivate?(id, true)
            return true
        default: return false
        }
    }

    func pressed(_ row: Row, _ event: UnsafeMutablePointer<GdkEvent>) -> Bool {
        guard let id = id(ofBox: row.box) else { return false }
        if event.pointee.type == GDK_2BUTTON_PRESS, event.pointee.button.button == 1, !touch.isTouched {
            onDoubleClick?(id)
            return onDoubleClick != nil
        }
        guard event.pointee.type == GDK_BUTTON_PRESS else { return false }
        setCursor(id)
        gtk_widget_grab_focus(row.box)
        if gdk_event_triggers_context_menu(event) != 0 {
            onMenu?(id, row, event)
        } else if touch.isTouched {
            // A touch may become a scroll, so the tap counts that ends it.
            touched = id
        } else if event.pointee.button.button == 1 {
            onActivate?(id, false)
        }
        return true
    }

    private var rowsOfPage: Int { max(1, (seen?.count ?? 2) - 1) }

    private func move(from id: ID, by count: Int) -> Bool {
        guard let index = heights.index(of: id) else { return false }
        let next = min(max(0, index + count), ids.count - 1)
        if next != index { focusRow(ids[next]) }
        // Show the focus, as GTK does when it moves the focus itself.
        if let top = gtk_widget_get_toplevel(listBox), cgtk_instance_is_a(top, gtk_window_get_type()) != 0 {
            gtk_window_set_focus_visible(top.cast(), 1)
        }
        return true
    }

    private func isMenuKey(_ key: GdkEventKey) -> Bool {
        let value = Int32(bitPattern: key.keyval)
        return value == GDK_KEY_Menu || value == GDK_KEY_F10 && key.state & GDK_SHIFT_MASK.rawValue != 0
    }

    private static var modifiers: guint {
        GDK_CONTROL_MASK.rawValue | GDK_MOD1_MASK.rawValue | GDK_SUPER_MASK.rawValue
    }
}
