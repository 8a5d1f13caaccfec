// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// Hooks for the bench.
extension CallsPage {
    /// The number of rows that are built.
    package var shownCalls: Int { list.builtIDs.count }

    /// The accessible name of the first row that is built; empty if there is none.
    package var firstCall: String { list.builtRows.first?.cell?.accessibleName ?? "" }

    /// Searches for a text, as the search field does shortly after the last key.
    package func look(for text: String) { history.text = text }

    /// Scrolls the list as the wheel does, by a distance in pixels.
    package func scroll(by pixels: Double) {
        gtk_adjustment_set_value(list.adjustment, gtk_adjustment_get_value(list.adjustment) + pixels)
    }
}
