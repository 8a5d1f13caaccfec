// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

// Hooks for the bench.
extension ContactsPage {
    /// Creates a page outside the program's panel.
    static func measured(
        _ directory: DirectoryDependencies, phone: Phone, toast: Toast,
        resources: Resources, settings: Settings
    ) -> ContactsPage {
        ContactsPage(
            directory, phone: phone,
            messenger: Messenger(
                Chat(
                    store: MemoryMessageStore(), services: [], clock: MainLoopScheduler(),
                    wall: FixedWallClock(0), names: { "" })),
            navigator: nil, toast: toast,
            pad: NumberPad(resources: resources, settings: settings))
    }

    /// The number of rows that are built.
    var shownContacts: Int { view.list.builtIDs.count }

    /// The number of contacts found.
    var foundContacts: Int { view.list.ids.count }

    /// Enters a text in the search field.
    func find(_ text: String) { view.find(text) }

    /// Scrolls the list as the wheel does, by a distance in pixels.
    func scroll(by pixels: Double) {
        let adjustment = view.list.adjustment
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }
}
