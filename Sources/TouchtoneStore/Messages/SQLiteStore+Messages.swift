// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: MessageStore {
    /// Applies updates; those that arrive while the disk is busy share the next transaction.
    public func apply(
        _ updates: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        let merge = merge
        let change = { @Sendable (database: StoreDatabase) throws(StoreError) in
            database.account = account
            return try merge(updates, database)
        }
        write(.messages, change, completion: completion)
    }

    func adopt() { if account != nil { record { database throws(StoreError) in try database.adopt() } } }

    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await askOwn { database throws(StoreError) in
            try database.messages(of: buddy, before: place, count: count)
        }
    }

    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await askOwn { database throws(StoreError) in
            try database.messages(of: buddy, from: place, count: count)
        }
    }

    public func place(of buddy: ChatAddress, archiveName: String) async throws(StoreError) -> Int64? {
        try await askOwn { database throws(StoreError) in
            try database.message(of: buddy, archivedAs: archiveName)?.place
        }
    }

    public func original(of reply: ChatMessage) async throws(StoreError) -> ChatMessage? {
        try await askOwn { database throws(StoreError) in try database.original(of: reply) }
    }

    public func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await askOwn { database throws(StoreError) in try database.firstUnread(of: buddy) }
    }

    public func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await askOwn { database throws(StoreError) in try database.lastMine(of: buddy) }
    }

    public func lastTime() async throws(StoreError) -> ChatTime? {
        try await askOwn { database throws(StoreError) in try database.lastTime() }
    }

    public func waiting() async throws(StoreError) -> [ChatMessage] {
        try await askOwn { database throws(StoreError) in try database.waiting() }
    }

    public func corrections() async throws(StoreError) -> [ChatMessage] {
        try await askOwn { database throws(StoreError) in try database.corrections() }
    }

    public func outgoingAnnotations() async throws(StoreError) -> [MessageAnnotation] {
        try await askOwn { database throws(StoreError) in try database.outgoing() }
    }

    /// Returns the messages with all words, which may contain anything; case and accents are ignored.
    ///
    /// While somebody types, searches may come faster than they are made: those of earlier texts are passed over, or end
    /// early.
    public func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [FoundMessage]
    {
        let search = CancellableSearch()
        let result: Result<[FoundMessage], StoreError> = await withTaskCancellationHandler {
            do throws(StoreError) {
                return .success(
                    try await askOwn { database throws(StoreError) in
                        guard !search.isCancelled else { return [] }
                        return try database.search(words, of: buddy, count: count, as: search)
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            search.cancel()
        }
        return try result.get()
    }

    public func summary() async throws(StoreError) -> ChatSummary {
        try await askOwn { database throws(StoreError) in try database.summary() }
    }

    /// Replaces the list of buddies; if that fails, the previous list and version remain.
    public func saveBuddies(_ buddies: [BuddyRecord], version: String?) {
        record { database throws(StoreError) in try database.saveBuddies(buddies, version: version) }
    }

    /// Saves a draft; if that fails, the previous one remains.
    public func saveDraft(_ text: String, for buddy: ChatAddress) {
        record { database throws(StoreError) in try database.saveDraft(text, for: buddy) }
    }

    public func changeSettings(
        adding new: ConversationSettings, removing old: ConversationSettings, of buddy: ChatAddress
    ) {
        record { database throws(StoreError) in
            try database.changeSettings(adding: new, removing: old, of: buddy)
        }
    }

    /// Replaces the list of rooms; if that fails, the previous list remains.
    public func saveRooms(_ rooms: [RoomRecord]) {
        record { database throws(StoreError) in try database.saveRooms(rooms) }
    }

    /// Returns how far an archive is known; for that of the account, it also begins to catch up.
    public func archiveCursor(of room: ChatAddress? = nil) async throws(StoreError) -> String? {
        try await askOwn(beginsCatchUp: room == nil) { database throws(StoreError) in
            try database.archiveCursor(of: room)
        }
    }

    public func archivePast(of room: ChatAddress? = nil) async throws(StoreError) -> ArchivePast? {
        try await askOwn { database throws(StoreError) in try database.archivePast(of: room) }
    }

    /// Runs a query on the data of the account that is current now.
    private func askOwn<Value: Sendable>(
        beginsCatchUp: Bool = false, _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let account = account
        return try await ask(.messages, beginsCatchUp: beginsCatchUp) { database throws(StoreError) in
            database.account = account
            return try body(database)
        }
    }

    /// Makes a change to the data of the account that is current now, without reporting the result.
    private func record(_ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Void) {
        let account = account
        let change = { @Sendable (database: StoreDatabase) throws(StoreError) in
            database.account = account
            try body(database)
        }
        write(.messages, change, completion: nil)
    }
}
