// SPDX-License-Identifier: GPL-3.0-or-later

/// The hint that a window is urgent, which task bars show by a colour.
@MainActor
public enum UrgencyHint {
    /// Sets or removes the hint, except in GNOME Shell, which shows a notification of its own instead.
    ///
    /// That one has none of the program's buttons, and stays until the user moves the pointer.
    public static func set(_ isUrgent: Bool, of window: UnsafeMutablePointer<GtkWindow>) {
        let isUrgent = isUrgent && !isShownAsNotification(window)
        if (gtk_window_get_urgency_hint(window) != 0) != isUrgent {
            gtk_window_set_urgency_hint(window, isUrgent ? 1 : 0)
        }
    }

    private static func isShownAsNotification(_ window: UnsafeMutablePointer<GtkWindow>) -> Bool {
        cgtk_window_manager(gtk_window_get_screen(window)).map { String(cString: $0) } == "GNOME Shell"
    }
}
