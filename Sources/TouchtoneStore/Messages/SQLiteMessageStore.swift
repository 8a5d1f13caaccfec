// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Keeps messages in an SQLite database, `messages.db` in the user's folder of data.
///
/// The file is opened by the first call that needs it, on the store's own thread. What fails is as if it had not been
/// asked, and may be asked again; one call after damage was found fails with `damaged`, and the next goes on with a new
/// file. There the archive's mark stays empty until `archiveMark()` is asked: only who begins to catch up then gets back
/// what was lost.
@MainActor
public final class SQLiteMessageStore: MessageStore {
    /// How facts change what is kept; called on the store's thread.
    typealias Merging = @Sendable ([ChatFact], any MessageTable) throws(StoreError) -> ChatChanges

    private let worker: MessageWorker
    private let merge: Merging

    /// Keeps messages in the user's folder of data.
    public convenience init(folders: UserFolders = .standard) {
        self.init(folders: folders, patience: 5000)
    }

    /// - Parameter patience: how long to wait for another process that writes, in milliseconds.
    init(
        folders: UserFolders, patience: Int32,
        merge: @escaping Merging = { facts, table throws(StoreError) in
            try Merge.apply(facts, to: table)
        }
    ) {
        worker = MessageWorker(file: MessageFile(folders: folders, patience: patience))
        self.merge = merge
    }

    deinit { worker.close() }

    /// Closes the file once all is done that was asked for; another call opens it again.
    func close() async {
        await withCheckedContinuation { continuation in worker.close { continuation.resume() } }
    }

    /// Looks for an answer on the store's thread.
    private func ask<Value: Sendable>(
        beginsCatchUp: Bool = false,
        _ body: @escaping @Sendable (MessageDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let read = StoreRead(beginsCatchUp: beginsCatchUp) { database throws(StoreError) in
                let value = try body(database)
                continuation.resume(returning: .success(value))
            } fail: { error in
                continuation.resume(returning: .failure(error))
            }
            worker.add(.read(read))
        }
        return try result.get()
    }

    /// Makes a change that nobody is told of.
    private func note(_ body: @escaping @Sendable (MessageDatabase) throws(StoreError) -> Void) {
        let write = StoreWrite(
            body: { database throws(StoreError) in
                try body(database)
                return ChatChanges()
            }, then: nil)
        worker.add(.write(write))
    }
}

// MARK: - MessageStore

extension SQLiteMessageStore {
    /// Takes facts in.
    ///
    /// Calls that come while the disk is busy share the next transaction.
    public func apply(
        _ facts: [ChatFact], then: @escaping @MainActor (Result<ChatChanges, StoreError>) -> Void
    ) {
        let merge = merge
        let write = StoreWrite(
            body: { database throws(StoreError) in try merge(facts, database) }, then: then)
        worker.add(.write(write))
    }

    /// Up to `count` messages before a place (nil: the last ones), the oldest first.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await ask { database throws(StoreError) in
            try database.messages(of: buddy, before: place, count: count)
        }
    }

    /// Up to `count` messages from a place on, the oldest first.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await ask { database throws(StoreError) in
            try database.messages(of: buddy, from: place, count: count)
        }
    }

    /// The first unread message.
    public func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await ask { database throws(StoreError) in try database.firstUnread(of: buddy) }
    }

    /// My last message.
    public func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await ask { database throws(StoreError) in try database.lastMine(of: buddy) }
    }

    /// My messages that wait, in the order of each conversation.
    public func waiting() async throws(StoreError) -> [ChatMessage] {
        try await ask { database throws(StoreError) in try database.waiting() }
    }

    /// Messages in which all the words are found, whatever else is in `words`; case and accents do not count.
    public func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await ask { database throws(StoreError) in
            try database.search(words, of: buddy, count: count)
        }
    }

    /// What the list of buddies can be shown with.
    public func summary() async throws(StoreError) -> ChatSummary {
        try await ask { database throws(StoreError) in try database.summary() }
    }

    /// Keeps the list of buddies; where that fails, the list and the version of before stay.
    public func saveBuddies(_ buddies: [BuddyRecord], version: String?) {
        note { database throws(StoreError) in try database.saveBuddies(buddies, version: version) }
    }

    /// Keeps a draft; where that fails, the one of before stays.
    public func saveDraft(_ text: String, for buddy: ChatAddress) {
        note { database throws(StoreError) in try database.saveDraft(text, for: buddy) }
    }

    /// Up to where the archive is known; to be asked by who begins to catch up from there.
    public func archiveMark() async throws(StoreError) -> String? {
        try await ask(beginsCatchUp: true) { database throws(StoreError) in try database.archiveMark() }
    }

    /// Calls back when all before has been done, or has failed.
    public func flush(_ then: @escaping @MainActor () -> Void) { worker.add(.flush(then)) }
}
