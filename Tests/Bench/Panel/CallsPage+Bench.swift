// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

// Hooks for the bench.
extension CallsPage {
    /// Creates a page outside the program's panel.
    static func measured(
        resources: Resources, history: CallHistory, contacts: ContactBook, phone: Phone, toast: Toast,
        wall: any WallClock
    ) throws(GLibError) -> CallsPage {
        try CallsPage(
            resources: resources,
            directory: DirectoryDependencies(history: history, contacts: contacts, vCards: NoVCards()),
            phone: phone, lines: LineRegistry(fallback: phone.line),
            chat: Chat(
                store: MemoryMessageStore(), services: [], clock: MainLoopScheduler(), wall: wall,
                names: { "" }),
            navigator: nil, toast: toast, wall: wall)
    }

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
