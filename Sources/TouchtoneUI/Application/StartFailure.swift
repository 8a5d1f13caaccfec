// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The window that says why the program did not start, for a user who has no terminal.
@MainActor
public enum StartFailure {
    /// Shows the reason until the user closes the window, or a signal asks the program to end.
    ///
    /// GTK must have a display. No other main loop may run.
    public static func explain(_ reason: String) {
        FirstFrameTheme.end()
        let window = makeWindow(reason)
        Signal.connect(window, "destroy") { gtk_main_quit() }
        EndSignals.watch { gtk_main_quit() }
        gtk_window_present(window.cast())
        gtk_main()
    }

    static func makeWindow(_ reason: String) -> Widget {
        let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_title(window.cast(), localized("Touchtone can’t start"))
        gtk_window_set_icon_name(window.cast(), Resources.applicationID)
        gtk_window_set_position(window.cast(), GTK_WIN_POS_CENTER)
        gtk_window_set_resizable(window.cast(), 0)
        // A screen reader then speaks the text.
        atk_object_set_role(gtk_widget_get_accessible(window), ATK_ROLE_ALERT)
        let content = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 18)
        gtk_container_set_border_width(content.cast(), 18)
        let text = Widget.wrappedLabel(reason)
        gtk_widget_set_size_request(text, width, -1)
        let close = Widget.button(localizedIn("verb", "Close"))
        gtk_widget_set_halign(close, GTK_ALIGN_END)
        Signal.connect(close, "clicked") { gtk_widget_destroy(window) }
        for widget in [text, close] { gtk_container_add(content.cast(), widget) }
        gtk_container_add(window.cast(), content)
        Signal.connectEvent(window, "key-press-event") {
            guard Int32(bitPattern: $0.pointee.key.keyval) == GDK_KEY_Escape else { return false }
            gtk_widget_destroy(window)
            return true
        }
        gtk_widget_show_all(content)
        gtk_widget_grab_focus(close)
        return window
    }

    /// Fits the narrowest screen.
    private static let width: gint = 300
}
