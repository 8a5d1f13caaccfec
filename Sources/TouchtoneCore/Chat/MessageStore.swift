// SPDX-License-Identifier: GPL-3.0-or-later

/// The store of conversations, drafts and the roster; no function blocks the main thread.
///
/// Calls take effect in order, and their results arrive on the main actor in the same order. When a call has
/// succeeded, its data is on the disk.
@MainActor
public protocol MessageStore: AnyObject {
    var health: StoreHealth { get }
    /// The account to which the following calls refer; nil is no account.
    ///
    /// The Operator’s conversation is shared by all accounts. Data stored without an account moves to the next account.
    var account: ChatAddress? { get set }
    /// Applies updates in one transaction, by `MessageMerger`.
    func apply(
        _ updates: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void)
    /// Returns up to `count` messages of a conversation before a place (nil for the end), the oldest first; those that were
    /// deleted here are in no answer.
    func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// Returns up to `count` messages of a conversation from a place on, the oldest first.
    func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// Returns the place of the message with this ID in its archive; nil if it is not known.
    func place(of buddy: ChatAddress, archiveName: String) async throws(StoreError) -> Int64?
    /// Returns the message that another one replies to, also one that was deleted here; nil if it is not known.
    func original(of reply: ChatMessage) async throws(StoreError) -> ChatMessage?
    func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    /// Returns when the last message that the server has had was sent, in any of the account’s conversations; nil if there is
    /// none.
    func lastTime() async throws(StoreError) -> ChatTime?
    /// Returns the user’s waiting messages of all conversations, in the order in which they are to be sent.
    func waiting() async throws(StoreError) -> [ChatMessage]
    /// Returns the messages with a correction that is not acknowledged, in the order of each conversation.
    func corrections() async throws(StoreError) -> [ChatMessage]
    /// Returns the user’s reactions and retractions that the server has not acknowledged, the oldest first.
    func outgoingAnnotations() async throws(StoreError) -> [MessageAnnotation]
    /// Returns the messages that show the words, the newest first; the last word is a prefix, and nil all buddies.
    ///
    /// A task that is cancelled gets none; the search ends early.
    func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError)
        -> [FoundMessage]
    /// Returns the stored roster, unread counts and drafts, to show before the service is online.
    func summary() async throws(StoreError) -> ChatSummary
    /// Saves the roster, in place of the previous one.
    func saveBuddies(_ buddies: [BuddyRecord], version: String?)
    /// Saves a draft; an empty text removes it.
    func saveDraft(_ text: String, for buddy: ChatAddress)
    /// Changes the stored choices for a conversation, whatever they are: others are kept.
    func changeSettings(
        adding new: ConversationSettings, removing old: ConversationSettings, of buddy: ChatAddress)
    /// Saves the list of rooms, in place of the previous one.
    func saveRooms(_ rooms: [RoomRecord])
    /// Returns how far the archive of a room, or of the account, has been read; nil if not at all.
    func archiveCursor(of room: ChatAddress?) async throws(StoreError) -> String?
    /// Returns the past that is still to be loaded from the archive of a room, or of the account; nil if there is none.
    func archivePast(of room: ChatAddress?) async throws(StoreError) -> ArchivePast?
    /// Calls `completion` when the data of all previous calls is on the disk.
    func flush(_ completion: @escaping @MainActor () -> Void)
}

extension MessageStore {
    public func apply(
        _ updates: [MessageUpdate],
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        apply(updates, of: account, completion: completion)
    }
}

/// A roster entry.
public struct BuddyRecord: Hashable, Sendable {
    public let address: ChatAddress
    /// The name that the user gave the buddy; empty to show the address.
    public var name: String
    /// Whether the user receives the buddy’s presence.
    public var tellsMe: Bool
    /// Whether the buddy receives the user’s presence.
    public var toldByMe: Bool
    /// Whether the user’s subscription request is pending.
    public var isAsked: Bool
    /// Whether the user declined the buddy’s request, and has not requested the buddy’s presence since.
    public var isDeclined: Bool

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

public struct ChatSummary: Hashable, Sendable {
    /// The last known roster.
    public var buddies: [BuddyRecord]
    /// The server’s version of that roster.
    public var version: String?
    /// The conversations with messages or settings.
    public var conversations: [ChatAddress: ConversationSummary]
    /// The number of unread messages, for each buddy that has some.
    public var unread: [ChatAddress: Int]
    public var drafts: [ChatAddress: String]
    public var rooms: [RoomRecord]

    public init(
        buddies: [BuddyRecord] = [], version: String? = nil,
        conversations: [ChatAddress: ConversationSummary] = [:],
        unread: [ChatAddress: Int] = [:], drafts: [ChatAddress: String] = [:], rooms: [RoomRecord] = []
    ) {
        self.buddies = buddies
        self.version = version
        self.conversations = conversations
        self.unread = unread
        self.drafts = drafts
        self.rooms = rooms
    }
}
