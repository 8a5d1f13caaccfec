// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// Draws a widget at the place that it will have.
///
/// Without its allocation, which the next frame calculates, GTK does not draw it, and reports a fault.
@MainActor
func drawNow(_ widget: UnsafeMutablePointer<GtkWidget>, on cairo: OpaquePointer?) {
    if let window = gtk_widget_get_toplevel(widget), cgtk_instance_is_a(window, gtk_container_get_type()) != 0
    {
        gtk_container_check_resize(window.cast())
    }
    gtk_widget_draw(widget, cairo)
}
