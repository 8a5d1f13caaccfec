// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GtkBridge
import TouchtoneBooks
import TouchtoneCore
import TouchtoneNumbers
import TouchtoneStore
import TouchtoneUI

/// Puts the calls that were and the contacts together, and has the phone know people by them.
@MainActor
enum DirectoryAssembly {
    static func make(store: SQLiteStore, phone: Phone, chat: Chat) -> DirectoryParts {
        let library = BooksLibrary(folders: LibraryFolders.standard)
        let contacts = ContactBook(store: store, books: DesktopBooks(library), rest: rest)
        contacts.sortKey = LocaleOrder.key
        contacts.folding = TextFolding.letters
        let history = CallHistory(store: store, contacts: contacts, wall: SystemWallClock(), rest: rest)
        phone.nameOf = { [weak contacts] in contacts?.name(for: $0) }
        contacts.followPeople(phone) { [weak phone] in phone?.namesChanged() }
        phone.calls.follow(history) { [weak history] in
            if case .ended(let record) = $0 { history?.note(record) }
        }
        phone.findLastDialled = { await history.lastDialled() }
        shareDamage(chat, history, contacts)
        // The first frame waits for none of it.
        MainLoop.afterFrame {
            contacts.start()
            history.start()
        }
        return DirectoryParts(history: history, contacts: contacts, vCards: VCards())
    }

    /// All three are in one file: damage is told to one of them, and what is lost is lost to all.
    private static func shareDamage(_ chat: Chat, _ history: CallHistory, _ contacts: ContactBook) {
        let share: @MainActor (StoreError?) -> Void = { [weak chat, weak history, weak contacts] error in
            guard let error, case .damaged = error else { return }
            if let chat, chat.trouble != error { chat.beginAnew(after: error) }
            if let history, history.trouble != error { history.beginAnew(after: error) }
            if let contacts, contacts.trouble != error { contacts.beginAnew(after: error) }
        }
        chat.follow(chat) { [weak chat] in share(chat?.trouble) }
        history.follow(history) { [weak history] in if $0 == .trouble { share(history?.trouble) } }
        contacts.follow(contacts) { [weak contacts] in if $0 == .trouble { share(contacts?.trouble) } }
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
        // The bytes of a key need be no text.
        return (0..<strlen(key)).map { UInt8(bitPattern: key[$0]) }
    }
}
