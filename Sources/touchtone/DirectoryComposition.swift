// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import GtkBridge
import TouchtoneBooks
import TouchtoneCore
import TouchtoneStore
import TouchtoneUI

/// The composition of the call history and the contacts, which also names the people on the phone.
@MainActor
enum DirectoryComposition {
    static func make(store: SQLiteStore, phone: Phone, settings: Settings) -> DirectoryDependencies {
        let library = BooksLibrary(folders: LibraryFolders.standard)
        let contacts = ContactBook(store: store, books: EDSAddressBooks(library), rest: rest)
        contacts.sortKey = LocaleOrder.key
        contacts.folding = TextFolding.letters
        let history = CallHistory(store: store, contacts: contacts, wall: SystemWallClock(), rest: rest)
        phone.nameOf = { [weak contacts] in contacts?.name(for: $0) }
        phone.calls.isFavourite = { [weak contacts] in contacts?.isFavourite($0) ?? false }
        contacts.observe(by: phone) { [weak phone] in if $0 == .rows { phone?.namesChanged() } }
        phone.calls.observe(by: history) { [weak history, weak calls = phone.calls] change in
            switch change {
            case .ended(let record): history?.note(record)
            case .calls: if let calls { history?.follow(calls) }
            }
        }
        settings.follow("keep-call-text") { [weak settings, weak history] in
            if let settings { history?.keepsText = settings[flag: "keep-call-text"] }
        }
        settings.follow("real-time-text") { [weak settings, weak calls = phone.calls] in
            if let settings { calls?.textUse = RealTimeTextUse(settings) }
        }
        phone.calls.hadText = { [weak history] in await history?.hadText(with: $0) ?? false }
        phone.findLastDialled = { await history.lastDialled() }
        let recordings = Recordings(store: store, folder: UserRecordings(), history: history)
        let machine = AnsweringMachine(
            recordings: recordings, calls: phone.calls, history: history, wall: SystemWallClock())
        return DirectoryDependencies(
            history: history, contacts: contacts, vCards: VCardCoder(), machine: machine)
    }

    /// Connects the phone to the lines of the Jabber accounts, and names the buddies who call.
    static func connect(
        _ directory: DirectoryDependencies, _ jabber: JabberLines, _ messenger: Messenger, phone: Phone
    ) {
        phone.jabber = jabber
        directory.contacts.nameOfBuddy = { jabber.name(of: $0) }
        messenger.buddies.observe(by: phone) { [weak phone] change in
            guard let phone, phone.address != nil || !phone.calls.calls.isEmpty else { return }
            switch change {
            case .rows, .row: phone.namesChanged()
            case .typing, .requests, .picture: break
            }
        }
    }

    /// Returns once the current frame is drawn.
    private static func rest() async {
        await withCheckedContinuation { continuation in MainLoop.afterFrame { continuation.resume() } }
    }
}

/// The order of names in the user's language.
enum LocaleOrder {
    /// Returns the key by whose bytes a name is sorted, ignoring case.
    static func key(_ name: String) -> [UInt8] {
        guard let folded = g_utf8_casefold(name, -1) else { return Array(name.utf8) }
        defer { g_free(folded) }
        guard let key = g_utf8_collate_key(folded, -1) else { return Array(name.utf8) }
        defer { g_free(key) }
        // The bytes of a key need not be valid text.
        return (0..<strlen(key)).map { UInt8(bitPattern: key[$0]) }
    }
}
