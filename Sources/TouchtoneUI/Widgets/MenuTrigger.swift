// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The event that opens a menu some time later: a copy of the present event, or a substitute if an assistive tool or
/// D-Bus opens it.
///
/// Without an event, GTK opens a menu only with a warning.
@MainActor
final class MenuTrigger {
    let event: UnsafeMutablePointer<GdkEvent>

    init(at widget: Widget) {
        guard let current = gtk_get_current_event() else {
            event = gdk_event_new(GDK_NOTHING)
            if let window = gtk_widget_get_window(widget) {
                // The event owns a reference, which it releases when it is freed.
                g_object_ref(UnsafeMutableRawPointer(window))
                event.pointee.any.window = window
            }
            let seat = gdk_display_get_default_seat(gtk_widget_get_display(widget))
            gdk_event_set_device(event, gdk_seat_get_pointer(seat))
            return
        }
        event = current
    }

    isolated deinit { gdk_event_free(event) }
}
