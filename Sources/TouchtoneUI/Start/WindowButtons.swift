// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The minimize, maximize and close buttons in a header bar.
@MainActor
enum WindowButtons {
    /// Adds the buttons to a header bar when it is realized.
    ///
    /// A `GtkHeaderBar` that has them from the beginning creates them when it enters a window, even while it is hidden,
    /// and replaces them when it is realized.
    static func add(to header: UnsafeMutablePointer<GtkWidget>) {
        Signal.connect(header, "realize") { gtk_header_bar_set_show_close_button(header.cast(), 1) }
    }
}
