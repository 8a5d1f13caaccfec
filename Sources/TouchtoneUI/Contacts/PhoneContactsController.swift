// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// What the contacts do at the phone itself: the MEM key, and what is offered under the display.
@MainActor
final class PhoneContactsController {
    private let offers: SuggestionController
    private let memoryKey: MemoryButton

    /// - Parameter set: the display, the soft keys and the keypad.
    init(
        phone: Phone, contacts: ContactBook, memoryKey: Widget, set: Widget, display: Widget, keypad: Widget
    ) {
        phone.memoryKeys = contacts
        self.memoryKey = MemoryButton(memoryKey, phone: phone)
        offers = SuggestionController(
            phone: phone, contacts: contacts, set: set, display: display, keypad: keypad)
    }

    /// The set with what lies over it, to be placed in the window.
    var widget: Widget { offers.widget }

    /// The phone has changed.
    func phoneChanged(_ change: Phone.Change) {
        offers.phoneChanged(change)
        if change.contains(.memory) { memoryKey.show() }
    }

    /// The phone is covered by its lock, or not any more.
    func setCovered(_ isCovered: Bool) { offers.setCovered(isCovered) }

    /// Does what a key of the keyboard is for while something is offered; false where it is for others.
    func keyPressed(_ key: GdkEventKey) -> Bool { offers.keyPressed(key) }
}
