// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// What the bench does and looks at.
extension CallsPage {
    /// How many rows of calls are built.
    package var shownCalls: Int { list.builtIDs.count }

    /// The name of the first call that is built, as assistive tools have it.
    package var firstCall: String { list.builtRows.first?.cell?.accessibleName ?? "" }

    /// Looks for a text, as the field does a moment after the last letter.
    package func look(for text: String) { history.text = text }

    /// Moves the calls as the wheel does, by so many pixels.
    package func scroll(by pixels: Double) {
        gtk_adjustment_set_value(list.adjustment, gtk_adjustment_get_value(list.adjustment) + pixels)
    }
}
