// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A store of messages that lives as long as the test; what it brings is told later, in order, as a disk's is.
@MainActor
public final class MemoryMessageStore: MessageStore {
    /// What is kept.
    ///
    /// Changes behind the store's back are nobody's to be told of.
    public private(set) var table = MemoryMessageTable()
    /// Whose conversations are meant; what was nobody's stays so.
    public var account: ChatAddress? {
        didSet {
            let account = account
            work.later { [self] in
                lists[table.account] = List(buddies: buddies, version: version, drafts: drafts)
                let list = lists[account] ?? List()
                (buddies, version, drafts) = (list.buddies, list.version, list.drafts)
                table.account = account
            }
        }
    }
    private struct List {
        var buddies: [BuddyRecord] = []
        var version: String?
        var drafts: [ChatAddress: String] = [:]
    }
    private var lists: [ChatAddress?: List] = [:]
    /// Why nothing can be kept or read now; nil for nothing in the way.
    ///
    /// Damage is told once, and all is lost by it.
    public var trouble: StoreError?
    /// Whether nothing is told for now, as with a slow disk; what was asked for comes when that ends.
    public var isHeld: Bool {
        get { work.isHeld }
        set { work.isHeld = newValue }
    }
    /// The list of buddies.
    public private(set) var buddies: [BuddyRecord] = []
    /// The version of the list.
    public private(set) var version: String?
    /// What was typed.
    public private(set) var drafts: [ChatAddress: String] = [:]
    /// How often something was kept of each kind.
    public private(set) var (applications, listSavings, flushes) = (0, 0, 0)
    /// The facts that were applied, in order.
    public private(set) var facts: [MessageUpdate] = []

    private let work = MemoryWork()

    /// Creates one that keeps nothing yet.
    public init() {}

    /// Puts what is known at the beginning, as if from a run before.
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
        (table, buddies, version, drafts) = (MemoryMessageTable(), [], nil, [:])
        return trouble
    }

    /// Returns when all that was asked for so far was told, and what was asked for because of it.
    public func idle() async { await work.idle() }

    private func answer<Value: Sendable>(_ value: @escaping @MainActor () -> Value) async throws(StoreError)
        -> Value
    {
        try await work.answer { [self] in takeTrouble().map { .failure($0) } ?? .success(value()) }
    }
}

extension MemoryMessageStore {
    /// Takes facts in, by `MessageMerger`.
    public func apply(
        _ facts: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        work.later { [self] in
            let current = table.account
            table.account = account
            defer { table.account = current }
            if let trouble = takeTrouble() { return completion(.failure(trouble)) }
            applications += 1
            self.facts += facts
            do throws(StoreError) {
                completion(.success(try MessageMerger.apply(facts, to: table)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Up to `count` messages of a conversation before a place (nil: the last ones), the oldest first.
    public func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    { try await answer { [self] in table.messages(of: buddy, before: place, count: count) } }

    /// Up to `count` messages of a conversation from a place on, the oldest first.
    public func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    { try await answer { [self] in table.messages(of: buddy, from: place, count: count) } }

    /// The first unread message of a conversation.
    public func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await answer { [self] in table.unreadByMe(buddy, upTo: .max).first }
    }

    /// My last message of a conversation.
    public func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage? {
        try await answer { [self] in table.messages(of: buddy).last { $0.sender == .me } }
    }

    /// My messages of all conversations that wait, in the order in which they are to be sent.
    public func waiting() async throws(StoreError) -> [ChatMessage] {
        try await answer { [self] in
            table.buddies.flatMap { table.messages(of: $0) }.filter { $0.state == .waiting }.sorted {
                $0.id < $1.id
            }
        }
    }

    /// My messages of all conversations with a correction that the server has not.
    public func corrections() async throws(StoreError) -> [ChatMessage] {
        try await answer { [self] in
            table.buddies.flatMap { table.messages(of: $0) }.filter { $0.correction != nil }
        }
    }

    /// Up to `count` messages in which the words are found, the newest first.
    public func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    {
        try await answer { [self] in
            let words = words.lowercased().split(separator: " ")
            let messages = (buddy.map { [$0] } ?? table.buddies).flatMap { table.messages(of: $0) }
            return Array(
                messages.filter { message in
                    let text = message.text.lowercased()
                    return words.allSatisfy { text.contains($0) }
                }.sorted { ($0.time, $0.place) > ($1.time, $1.place) }.prefix(count))
        }
    }

    /// What the list of buddies can be shown with before anybody is online.
    public func summary() async throws(StoreError) -> ChatSummary {
        try await answer { [self] in
            var summary = ChatSummary(buddies: buddies, version: version, drafts: drafts)
            for buddy in table.buddies {
                summary.conversations[buddy] = table.messages(of: buddy).last?.time
                let unread = table.unreadCount(buddy)
                if unread > 0 { summary.unread[buddy] = unread }
            }
            return summary
        }
    }

    /// Keeps the list of buddies, in place of the one before.
    public func saveBuddies(_ buddies: [BuddyRecord], version: String?) {
        work.later { [self] in
            guard trouble == nil else { return }
            listSavings += 1
            (self.buddies, self.version) = (buddies, version)
        }
    }

    /// Keeps what I had typed; an empty text is none.
    public func saveDraft(_ text: String, for buddy: ChatAddress) {
        work.later { [self] in
            guard trouble == nil else { return }
            drafts[buddy] = text.isEmpty ? nil : text
        }
    }

    /// Up to where the archive is known; nil if nothing of it.
    public func archiveCursor() async throws(StoreError) -> String? {
        try await answer { [self] in table.archiveCursor() }
    }

    /// Calls back when all that was asked for before is on the disk.
    public func flush(_ completion: @escaping @MainActor () -> Void) {
        work.later { [self] in
            flushes += 1
            completion()
        }
    }
}
