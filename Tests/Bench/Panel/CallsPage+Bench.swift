// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

// Hooks for the bench.
extension CallsPage {
    /// The number of rows that are built.
    var shownCalls: Int { list.builtIDs.count }

    /// The accessible name of the first row that is built; empty if there is none.
    var firstCall: String { list.builtRows.first?.cell?.accessibleName ?? "" }

    /// Searches for a text, as the search field does shortly after the last key.
    func look(for text: String) { history.text = text }

    /// Scrolls the list as the wheel does, by a distance in pixels.
    func scroll(by pixels: Double) {
        gtk_adjustment_set_value(list.adjustment, gtk_adjustment_get_value(list.adjustment) + pixels)
    }
}
