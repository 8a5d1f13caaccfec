// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A small window with a text and buttons, for what the phone's window cannot show.
@MainActor
struct AlertWindow {
    struct Choice {
        let label: String
        let act: @MainActor () -> Void
    }

    let window: Widget
    private let text: Widget
    private let buttons: [Widget]

    /// Fits the narrowest screen.
    private static let width: gint = 300

    /// Creates the window, hidden; it has the focus on the first choice, and Escape closes it.
    init(title: String, text: String, choices: [Choice]) {
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        self.text = Widget.wrappedLabel(text)
        // A single one does not fill the window, and would wrap between its letters.
        buttons = choices.map {
            choices.count == 1 ? Widget.button($0.label) : Widget.wrappedButton($0.label)
        }
        gtk_window_set_title(window.cast(), title)
        gtk_window_set_icon_name(window.cast(), Resources.applicationID)
        gtk_window_set_position(window.cast(), GTK_WIN_POS_CENTER)
        gtk_window_set_resizable(window.cast(), 0)
        // A screen reader then speaks the text.
        atk_object_set_role(gtk_widget_get_accessible(window), ATK_ROLE_ALERT)
        let content = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 18)
        gtk_container_set_border_width(content.cast(), 18)
        gtk_widget_set_size_request(self.text, Self.width, -1)
        gtk_container_add(content.cast(), self.text)
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
        for (button, choice) in zip(buttons, choices) {
            if choices.count == 1 { gtk_widget_set_halign(button, GTK_ALIGN_END) }
            Signal.connect(button, "clicked") { choice.act() }
            gtk_container_add(column.cast(), button)
        }
        gtk_container_add(content.cast(), column)
        gtk_container_add(window.cast(), content)
        let window = window
        Signal.connectEvent(window, "key-press-event") {
            guard Int32(bitPattern: $0.pointee.key.keyval) == GDK_KEY_Escape else { return false }
            gtk_window_close(window.cast())
            return true
        }
        gtk_widget_show_all(content)
        if let first = buttons.first { gtk_widget_grab_focus(first) }
    }

    /// Shows another text.
    func show(_ text: String) { self.text.text = text }

    /// Lets a choice be made, or not.
    func setPossible(_ isPossible: Bool, at index: Int) {
        gtk_widget_set_sensitive(buttons[index], isPossible ? 1 : 0)
    }
}
