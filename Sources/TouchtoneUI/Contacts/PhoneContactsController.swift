// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The parts of the phone that use contacts: the MEM key and the suggestions.
@MainActor
final class PhoneContactsController {
    private let offers: SuggestionController
    private let memoryKey: MemoryButton

    /// Connects the contacts to the phone, which gets them as its memory keys.
    init(
        phone: Phone, contacts: ContactBook, search: NumberSuggestions, memoryKey: Widget,
        places: SuggestionController.Places, navigator: any Navigator
    ) {
        phone.memoryKeys = contacts
        self.memoryKey = MemoryButton(memoryKey, phone: phone)
        offers = SuggestionController(
            phone: phone, contacts: contacts, search: search, places: places, navigator: navigator)
    }

    /// Opens the conversation with the selected suggestion, or else with the number in the display.
    func messageSelection() { offers.messageSelection() }

    /// The set and the grille with the suggestions, to be placed in the window.
    var widget: Widget { offers.widget }

    /// The suggestion for the display's caption; nil if nothing is offered.
    var caption: String? { offers.caption }

    var onCaption: (@MainActor () -> Void)? {
        get { offers.onCaption }
        set { offers.onCaption = newValue }
    }

    /// The first suggestion, and the number of others, for a screen reader; empty for none.
    var suggestions: String { offers.summary }

    func phoneChanged(_ change: Phone.Change) {
        offers.phoneChanged(change)
        if change.contains(.memory) { memoryKey.show() }
    }

    /// Hides the suggestions while the lock screen covers the phone.
    func setCovered(_ isCovered: Bool) { offers.setCovered(isCovered) }

    /// Handles a key press while suggestions are shown; false if the key has no meaning for them.
    func keyPressed(_ key: GdkEventKey) -> Bool { offers.keyPressed(key) }
}
