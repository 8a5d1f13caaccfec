// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: MessageStore {
    /// Takes facts in.
    ///
    /// Calls that come while the disk is busy share the next transaction.
    public func apply(
        _ facts: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        let merge = merge
        let change = { @Sendable (database: StoreDatabase) throws(StoreError) in
            database.account = account
            return try merge(facts, database)
        }
        write(StoreWrite(.messages, change, completion: completion))
    }

    /// Gives what was kept while there was no account to the one that is set.
    func adopt() { if account != nil { record { database throws(StoreError) in try database.adopt() } } }

    /// Up to `count` messages before a place (nil: the last ones), the oldest first.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await askOwn { database throws(StoreError) in
            try database.messages(of: buddy, before: place, count: count)
        }
    }

    /// Up to `count` messages from a place on, the oldest first.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await askOwn { database throws(StoreError) in
            try database.messages(of: buddy, from: place, count: count)
        }
    }

    /// The first unread message.
    public func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await askOwn { database throws(StoreError) in try database.firstUnread(of: buddy) }
    }

    /// My last message.
    public func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await askOwn { database throws(StoreError) in try database.lastMine(of: buddy) }
    }

    /// My messages that wait, in the order of each conversation.
    public func waiting() async throws(StoreError) -> [ChatMessage] {
        try await askOwn { database throws(StoreError) in try database.waiting() }
    }

    /// My messages with a correction that the server has not.
    public func corrections() async throws(StoreError) -> [ChatMessage] {
        try await askOwn { database throws(StoreError) in try database.corrections() }
    }

    /// Messages in which all the words are found, whatever else is in `words`; case and accents do not count.
    public func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await askOwn { database throws(StoreError) in
            try database.search(words, of: buddy, count: count)
        }
    }

    /// What the list of buddies can be shown with.
    public func summary() async throws(StoreError) -> ChatSummary {
        try await askOwn { database throws(StoreError) in try database.summary() }
    }

    /// Keeps the list of buddies; where that fails, the list and the version of before stay.
    public func saveBuddies(_ buddies: [BuddyRecord], version: String?) {
        record { database throws(StoreError) in try database.saveBuddies(buddies, version: version) }
    }

    /// Keeps a draft; where that fails, the one of before stays.
    public func saveDraft(_ text: String, for buddy: ChatAddress) {
        record { database throws(StoreError) in try database.saveDraft(text, for: buddy) }
    }

    /// Up to where the archive is known; to be asked by who begins to catch up from there.
    public func archiveCursor() async throws(StoreError) -> String? {
        try await askOwn(beginsCatchUp: true) { database throws(StoreError) in
            try database.archiveCursor()
        }
    }

    /// Looks for an answer among what is the account's that is set now.
    private func askOwn<Value: Sendable>(
        beginsCatchUp: Bool = false, _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let account = account
        return try await ask(.messages, beginsCatchUp: beginsCatchUp) { database throws(StoreError) in
            database.account = account
            return try body(database)
        }
    }

    /// Makes a change that nobody is told of, in what is the account's that is set now.
    private func record(_ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Void) {
        let account = account
        let change = { @Sendable (database: StoreDatabase) throws(StoreError) in
            database.account = account
            try body(database)
        }
        write(StoreWrite(.messages, change, completion: nil))
    }
}
