// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore
import TouchtoneUI

/// Puts the calls that were and the contacts together, and has the phone know people by them.
@MainActor
enum DirectoryAssembly {
    /// What keeps calls and contacts, and what exchanges them with other programs.
    struct Sources {
        /// Keeps both; nil where nothing does, and then there is no directory.
        var store: (any HistoryStore & ContactStore)?
        /// The desktop's address books.
        var books: (any AddressBooks)?
        /// How contacts come and go as files.
        var vCards: (any VCardCoding)?
    }

    static func make(_ sources: Sources, wall: any WallClock) -> DirectoryParts? {
        guard let store = sources.store, let vCards = sources.vCards else { return nil }
        let contacts = ContactBook(store: store, books: sources.books)
        let history = CallHistory(store: store, contacts: contacts, wall: wall)
        contacts.start()
        history.start()
        return DirectoryParts(history: history, contacts: contacts, vCards: vCards)
    }
}
