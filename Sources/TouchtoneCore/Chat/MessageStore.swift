// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the conversations, the drafts, and what is known of the buddies while nobody is online.
///
/// Nothing here holds the main thread up. Calls take effect in the order in which they are made; what they bring is
/// told on the main actor, in that order, too. A call that has ended well is on the disk, and outlives the program's being killed.
@MainActor
public protocol MessageStore: AnyObject {
    /// Whose conversations, drafts, buddies and archive are meant by the calls from now on; nil is nobody's.
    ///
    /// The exchange's conversation is everybody's. What was kept while there was no account becomes that of the next one.
    var account: ChatAddress? { get set }
    /// Takes facts in, by `MessageMerger`, in one transaction.
    ///
    /// - Parameter account: whose they are.
    func apply(
        _ facts: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void)
    /// Up to `count` messages of a conversation before a place (nil: the last ones), the oldest first.
    func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// Up to `count` messages of a conversation from a place on, the oldest first.
    func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// The first unread message of a conversation.
    func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    /// My last message of a conversation.
    func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    /// My messages of all conversations that wait, in the order in which they are to be sent.
    func waiting() async throws(StoreError) -> [ChatMessage]
    /// My messages of all conversations with a correction that the server has not, in the order of each conversation.
    func corrections() async throws(StoreError) -> [ChatMessage]
    /// Up to `count` messages in which the words are found (the last may be a beginning), the newest first.
    ///
    /// - Parameter buddy: of whose conversation; nil is all.
    func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError) -> [ChatMessage]
    /// What the list of buddies can be shown with before anybody is online: with the unread messages and drafts.
    func summary() async throws(StoreError) -> ChatSummary
    /// Keeps the list of buddies, in place of the one before.
    func saveBuddies(_ buddies: [BuddyRecord], version: String?)
    /// Keeps what I had typed; an empty text is none.
    func saveDraft(_ text: String, for buddy: ChatAddress)
    /// Up to where the archive is known; nil if nothing of it.
    func archiveCursor() async throws(StoreError) -> String?
    /// Calls back when all that was asked for before is on the disk.
    func flush(_ completion: @escaping @MainActor () -> Void)
}

extension MessageStore {
    /// Takes facts of the account that is set in.
    public func apply(
        _ facts: [MessageUpdate],
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        apply(facts, of: account, completion: completion)
    }
}

/// A buddy as the service's list has it.
public struct BuddyRecord: Hashable, Sendable {
    /// Who it is.
    public let address: ChatAddress
    /// What I call it; empty is its address.
    public var name: String
    /// Whether it tells me of its presence.
    public var tellsMe: Bool
    /// Whether I tell it of mine.
    public var toldByMe: Bool
    /// Whether I have asked for its presence, and it has not answered.
    public var isAsked: Bool
    /// Whether I have declined that it sees my presence, and have not asked for its own since.
    public var isDeclined: Bool

    /// Creates one.
    public init(
        _ address: ChatAddress, name: String = "", tellsMe: Bool = false, toldByMe: Bool = false,
        isAsked: Bool = false, isDeclined: Bool = false
    ) {
        self.address = address
        self.name = name
        self.tellsMe = tellsMe
        self.toldByMe = toldByMe
        self.isAsked = isAsked
        self.isDeclined = isDeclined
    }
}

/// What is kept, in short.
public struct ChatSummary: Hashable, Sendable {
    /// The list of buddies as it was last known.
    public var buddies: [BuddyRecord]
    /// The version that the server names this list by.
    public var version: String?
    /// With whom there are conversations, and the time of the last message of each.
    public var conversations: [ChatAddress: ChatTime]
    /// How many messages are unread, where there are any.
    public var unread: [ChatAddress: Int]
    /// What I had typed.
    public var drafts: [ChatAddress: String]

    /// Creates it.
    public init(
        buddies: [BuddyRecord] = [], version: String? = nil, conversations: [ChatAddress: ChatTime] = [:],
        unread: [ChatAddress: Int] = [:], drafts: [ChatAddress: String] = [:]
    ) {
        self.buddies = buddies
        self.version = version
        self.conversations = conversations
        self.unread = unread
        self.drafts = drafts
    }
}

/// Why something could not be kept or found.
public enum StoreError: Error, Hashable, Sendable {
    /// There is no room on the disk.
    case full
    /// The file was damaged. It was set aside under that name, and a new one begun; what the archive has comes back.
    case damaged(setAside: String)
    /// The file was made by a newer Touchtone; it is left alone, and nothing is kept.
    case newer
    /// Anything else, in the system's words.
    case failed(String)
}
