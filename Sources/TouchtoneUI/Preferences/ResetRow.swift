// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The row at the end of a page that gives its settings their defaults again; insensitive where they have them.
@MainActor
enum ResetRow {
    /// - Parameter keys: the settings of the page.
    static func connect(
        _ row: UnsafeMutablePointer<GtkWidget>, resetting keys: [String], of settings: Settings
    ) {
        for key in keys {
            settings.follow(key, until: row) {
                gtk_widget_set_sensitive(row, keys.contains(where: settings.isChosen) ? 1 : 0)
            }
        }
        Signal.connect(row, "activated") {
            for key in keys { settings.reset(key) }
        }
    }
}
