// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge

/// The row at the end of a page that gives its settings their defaults again; insensitive where they have them.
@MainActor
enum ResetRow {
    /// - Parameter keys: the settings of the page.
    static func connect(
        _ row: UnsafeMutablePointer<GtkWidget>, resetting keys: [String], of settings: Settings
    ) {
        connect(row, resetting: [(settings, keys)])
    }

    /// - Parameter all: the settings of the page, with their keys.
    static func connect(
        _ row: UnsafeMutablePointer<GtkWidget>, resetting all: [(settings: Settings, keys: [String])]
    ) {
        for (settings, keys) in all {
            for key in keys {
                settings.follow(key, until: row) {
                    let isChosen = all.contains { $0.keys.contains(where: $0.settings.isChosen) }
                    gtk_widget_set_sensitive(row, isChosen ? 1 : 0)
                }
            }
        }
        Signal.connect(row, "activated") {
            for (settings, keys) in all { for key in keys { settings.reset(key) } }
        }
    }
}
