// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// Puts the calls that were and the contacts together, and has the phone know people by them.
@MainActor
enum DirectoryAssembly {
    /// - Parameters:
    ///   - store: keeps calls and contacts.
    ///   - books: the desktop's address books.
    ///   - vCards: exchanges contacts with other programs.
    static func make(
        store: any HistoryStore & ContactStore, books: any AddressBooks, vCards: any VCardCoding,
        phone: Phone, wall: any WallClock
    ) -> DirectoryParts {
        let contacts = ContactBook(store: store, books: books, rest: rest)
        contacts.sortKey = LocaleOrder.key
        let history = CallHistory(store: store, contacts: contacts, wall: wall, rest: rest)
        phone.nameOf = { [weak contacts] in contacts?.name(for: $0) }
        contacts.followPeople(phone) { [weak phone] in phone?.namesChanged() }
        phone.calls.onEnd = { history.note($0) }
        shareDamage(history, contacts)
        // The first frame waits for none of it.
        MainLoop.afterFrame {
            contacts.start()
            history.start()
        }
        return DirectoryParts(history: history, contacts: contacts, vCards: vCards)
    }

    /// Both are in one file: damage is told to one of them, and what is lost is lost to both.
    private static func shareDamage(_ history: CallHistory, _ contacts: ContactBook) {
        history.follow(contacts) { [weak history, weak contacts] change in
            guard change == .trouble, case .damaged = history?.trouble else { return }
            contacts?.beginAnew()
        }
        contacts.follow(history) { [weak history, weak contacts] change in
            guard change == .trouble, case .damaged = contacts?.trouble else { return }
            history?.beginAnew()
        }
    }

    /// Returns when the window has drawn what it has to.
    private static func rest() async {
        await withCheckedContinuation { continuation in MainLoop.afterFrame { continuation.resume() } }
    }
}

/// The order of names in the user's language.
enum LocaleOrder {
    /// What a name is sorted by, byte by byte; capitals count as small letters.
    static func key(_ name: String) -> [UInt8] {
        guard let folded = g_utf8_casefold(name, -1) else { return Array(name.utf8) }
        defer { g_free(folded) }
        guard let key = g_utf8_collate_key(folded, -1) else { return Array(name.utf8) }
        defer { g_free(key) }
        return Array(String(cString: key).utf8)
    }
}
