// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TouchtoneCore

@testable import TouchtoneStore

/// A store in a test's own home.
@MainActor
final class MessageStoreFixture {
    let home: Home
    let store: SQLiteStore
    static let grace = ChatAddress("grace@example.org")
    static let ada = ChatAddress("ada@example.org")

    /// - Parameter home: A home with existing files; nil for a new one.
    init(
        _ home: Home = Home(), busyTimeout: Int32 = 5000, vault: any StoreKeyVault = KeyringVault(),
        merge: @escaping SQLiteStore.Merging = { facts, table throws(StoreError) in
            try MessageMerger.apply(facts, to: table)
        }
    ) {
        self.home = home
        store = SQLiteStore(folders: home.folders, busyTimeout: busyTimeout, vault: vault, merge: merge)
    }

    /// A store in the same file, for another account.
    init(sharingFileOf other: MessageStoreFixture) {
        (home, store) = (other.home, SQLiteStore(sharingFileOf: other.store))
    }

    /// Applies facts, and waits for the result.
    @discardableResult
    func apply(_ facts: MessageUpdate...) async throws(StoreError) -> MessageChanges {
        try await apply(facts)
    }

    /// Applies facts, and waits for the result.
    @discardableResult
    func apply(_ facts: [MessageUpdate]) async throws(StoreError) -> MessageChanges {
        let store = store
        let result: Result<MessageChanges, StoreError> = await withCheckedContinuation { continuation in
            store.apply(facts) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Returns all messages of a conversation.
    func all(_ buddy: ChatAddress = grace) async throws(StoreError) -> [ChatMessage] {
        try await store.messages(of: buddy, before: nil, count: .max)
    }

    func flush() async {
        let store = store
        await withCheckedContinuation { continuation in store.flush { continuation.resume() } }
    }

    /// Returns the texts of all messages of a conversation.
    func texts(_ buddy: ChatAddress = grace) async throws(StoreError) -> [String] {
        try await all(buddy).map(\.text)
    }

    /// The files in the data folder.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: home.folders.data)) ?? []).sorted()
    }
}

extension Home {
    /// The message file.
    var messages: String { "\(folders.data)/messages.db" }
}

/// Returns a message from Grace or the user as received on the stream.
func received(
    _ text: String, from buddy: ChatAddress = ChatAddress("grace@example.org"),
    sender: MessageSender = .buddy,
    time: Int64 = 1_000,
    name: String? = nil, archiveName: String? = nil
) -> ReceivedMessage {
    ReceivedMessage(
        buddy: buddy, sender: sender, text: text, time: ChatTime(milliseconds: time), name: name,
        archiveName: archiveName)
}

/// Returns a message from the user to Grace.
func composed(_ text: String, name: String, to buddy: ChatAddress = ChatAddress("grace@example.org"))
    -> MessageUpdate
{
    .composed(ComposedMessage(buddy: buddy, name: name, text: text, time: ChatTime(milliseconds: 2_000)))
}
