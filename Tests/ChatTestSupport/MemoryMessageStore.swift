// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A message store in memory that reports its results later and in order, like a store on disk.
@MainActor
public final class MemoryMessageStore: MessageStore {
    /// The stored messages.
    ///
    /// Direct changes to the table are not reported.
    public private(set) var table = MemoryMessageTable()
    /// The account whose conversations are accessed; messages without an owner stay without one.
    public var account: ChatAddress? {
        didSet {
            let account = account
            work.later { [self] in
                lists[table.account] = List(
                    buddies: buddies, version: version, drafts: drafts, rooms: rooms, settings: settings)
                let list = lists[account] ?? List()
                (buddies, version, drafts) = (list.buddies, list.version, list.drafts)
                (rooms, settings) = (list.rooms, list.settings)
                table.account = account
            }
        }
    }
    private struct List {
        var buddies: [BuddyRecord] = []
        var version: String?
        var drafts: [ChatAddress: String] = [:]
        var rooms: [RoomRecord] = []
        var settings: [ChatAddress: ConversationSettings] = [:]
    }
    private var lists: [ChatAddress?: List] = [:]
    /// The error that operations fail with, or nil.
    ///
    /// Damage is reported once, and loses all data.
    public var trouble: StoreError?
    /// The error that only changes of messages fail with, as on a full disk; nil for none.
    public var troubleOfChanges: StoreError?
    /// Whether results are held back, as by a slow disk; they are delivered when this ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// The buddy list.
    public private(set) var buddies: [BuddyRecord] = []
    /// The version of the buddy list.
    public private(set) var version: String?
    /// The list of rooms.
    public private(set) var rooms: [RoomRecord] = []
    /// The settings of the conversations.
    public private(set) var settings: [ChatAddress: ConversationSettings] = [:]
    /// The drafts.
    public private(set) var drafts: [ChatAddress: String] = [:]
    /// The number of write operations of each kind.
    public private(set) var (applications, listSavings, flushes) = (0, 0, 0)
    /// The words that were searched, in order.
    public private(set) var searches: [String] = []
    /// The facts that were applied, in order.
    public private(set) var facts: [MessageUpdate] = []

    /// The health of the store.
    public let health = StoreHealth()
    private let work = MemoryWork()

    /// Creates an empty store.
    public init() {}

    /// Adds facts as if from an earlier run.
    public func fill(
        buddies: [BuddyRecord] = [], drafts: [ChatAddress: String] = [:], facts: [MessageUpdate] = []
    )
        throws(StoreError)
    {
        self.buddies = buddies
        self.drafts = drafts
        _ = try MessageMerger.apply(facts, to: table)
    }

    private func takeTrouble() -> StoreError? {
        guard case .damaged = trouble else { return trouble }
        defer { trouble = nil }
        (table, buddies, version, drafts, rooms) = (MemoryMessageTable(), [], nil, [:], [])
        settings = [:]
        return trouble
    }

    /// Returns when all requests so far, and those that followed from them, are answered.
    public func idle() async { await work.idle() }

    private func answer<Value: Sendable>(_ value: @escaping @MainActor () -> Value) async throws(StoreError)
        -> Value
    {
        try await work.answer { [self] in takeTrouble().map { .failure($0) } ?? .success(value()) }
    }
}

extension MemoryMessageStore {
    /// Applies facts with `MessageMerger`.
    public func apply(
        _ facts: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        work.later { [self] in
            let current = table.account
            table.account = account
            defer { table.account = current }
            if let trouble = takeTrouble() ?? troubleOfChanges { return completion(.failure(trouble)) }
            applications += 1
            self.facts += facts
            do throws(StoreError) {
                completion(.success(try MessageMerger.apply(facts, to: table)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Returns up to `count` messages of a conversation before a place (nil for the end), oldest first.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    { try await answer { [self] in table.messages(of: buddy, before: place, count: count) } }

    /// Returns up to `count` messages of a conversation from a place on, oldest first.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    { try await answer { [self] in table.messages(of: buddy, from: place, count: count) } }

    /// Returns the place of the message with this ID in its archive.
    public func place(of buddy: ChatAddress, archiveName: String) async throws(StoreError) -> Int64? {
        try await answer { [self] in (try? table.message(of: buddy, archivedAs: archiveName))?.place }
    }

    /// Returns the message that another one replies to.
    public func original(of reply: ChatMessage) async throws(StoreError) -> ChatMessage? {
        try await answer { [self] in
            table.messages(of: reply.buddy).last {
                $0.id != reply.id && reply.reply?.original.names($0) == true
            }
        }
    }

    /// Returns the first unread message of a conversation.
    public func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await answer { [self] in table.unreadByMe(buddy, upTo: .max).first }
    }

    /// Returns the user's last message of a conversation.
    public func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await answer { [self] in table.messages(of: buddy).last { $0.sender == .me && $0.isShown } }
    }

    /// Returns the time of the last message that the server has had.
    public func lastTime() async throws(StoreError) -> ChatTime? {
        try await answer { [self] in
            table.buddies.filter { $0 != .operatorAddress }.compactMap { buddy in
                table.messages(of: buddy).last { $0.state != .waiting && !$0.isFailed }?.time
            }.max()
        }
    }

    /// Returns the user's pending messages of all conversations, in the order in which they are to be sent.
    public func waiting() async throws(StoreError) -> [ChatMessage] {
        try await answer { [self] in table.buddies.flatMap { table.waiting(of: $0) } }
    }

    /// Returns the user's messages of all conversations with a correction that the server does not have yet.
    public func corrections() async throws(StoreError) -> [ChatMessage] {
        try await answer { [self] in
            table.buddies.flatMap { table.messages(of: $0) }.filter { $0.correction != nil }
        }
    }

    /// Returns the user's annotations that the server has not acknowledged.
    public func outgoingAnnotations() async throws(StoreError) -> [MessageAnnotation] {
        try await answer { [self] in table.outgoing }
    }

    /// Returns up to `count` messages that contain the words, newest first.
    public func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [FoundMessage]
    {
        searches.append(words)
        return try await answer { [self] in
            let parts = words.lowercased().split(separator: " ")
            let messages = (buddy.map { [$0] } ?? table.buddies).flatMap { table.messages(of: $0) }
            let found = messages.filter { message in
                let text = message.text.lowercased()
                return parts.allSatisfy { text.contains($0) }
            }.sorted { ($0.time, $0.place) > ($1.time, $1.place) }
            return Array(found.compactMap { FoundMessage($0, SearchWords(words)) }.prefix(count))
        }
    }

    /// Returns the data with which the buddy list is shown before a connection exists.
    public func summary() async throws(StoreError) -> ChatSummary {
        try await answer { [self] in
            var summary = ChatSummary(buddies: buddies, version: version, drafts: drafts, rooms: rooms)
            for (buddy, settings) in settings {
                summary.conversations[buddy] = ConversationSummary(settings: settings)
            }
            for buddy in table.buddies {
                let last = table.messages(of: buddy).last(where: \.isShown).map(MessagePreview.init)
                summary.conversations[buddy, default: ConversationSummary()].last = last
                let unread = table.unreadCount(buddy)
                if unread > 0 { summary.unread[buddy] = unread }
            }
            return summary
        }
    }

    /// Replaces the stored buddy list.
    public func saveBuddies(_ buddies: [BuddyRecord], version: String?) {
        work.later { [self] in
            guard trouble == nil else { return }
            listSavings += 1
            (self.buddies, self.version) = (buddies, version)
        }
    }

    /// Stores a draft; an empty text deletes it.
    public func saveDraft(_ text: String, for buddy: ChatAddress) {
        work.later { [self] in
            guard trouble == nil else { return }
            drafts[buddy] = text.isEmpty ? nil : text
        }
    }

    /// Changes the settings of a conversation.
    public func changeSettings(
        adding new: ConversationSettings, removing old: ConversationSettings, of buddy: ChatAddress
    ) {
        work.later { [self] in
            guard trouble == nil else { return }
            let changed = (settings[buddy] ?? []).union(new).subtracting(old)
            settings[buddy] = changed
            table.choices[buddy] = changed.encryptionChoice
        }
    }

    /// Replaces the stored list of rooms.
    public func saveRooms(_ rooms: [RoomRecord]) {
        work.later { [self] in if trouble == nil { self.rooms = rooms } }
    }

    /// Returns the position up to which the archive is known, or nil if none of it is.
    public func archiveCursor(of room: ChatAddress? = nil) async throws(StoreError) -> String? {
        try await answer { [self] in table.archiveCursor(of: room) }
    }

    /// Returns the past that is still to be loaded from the archive, or nil if there is none.
    public func archivePast(of room: ChatAddress? = nil) async throws(StoreError) -> ArchivePast? {
        try await answer { [self] in table.archivePast(of: room) }
    }

    /// Calls back when all earlier operations are on disk.
    public func flush(_ completion: @escaping @MainActor () -> Void) {
        work.later { [self] in
            flushes += 1
            completion()
        }
    }
}
