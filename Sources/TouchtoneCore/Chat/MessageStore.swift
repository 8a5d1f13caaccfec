// SPDX-License-Identifier: GPL-3.0-or-later

/// The store of conversations, drafts and the roster.
///
/// No function blocks the main thread. Calls take effect in the order in which they are made, and their results arrive
/// on the main actor in the same order. When a call has succeeded, its data is on the disk and survives if the process
/// is killed.
@MainActor
public protocol MessageStore: AnyObject {
    /// The health of the store, which the users of the store record.
    var health: StoreHealth { get }
    /// The account to which the following calls refer; nil is no account.
    ///
    /// The Operator’s conversation is shared by all accounts. Data stored without an account moves to the next account.
    var account: ChatAddress? { get set }
    /// Applies updates in one transaction, by `MessageMerger`.
    ///
    /// - Parameter account: The account of the updates.
    func apply(
        _ updates: [MessageUpdate], of account: ChatAddress?,
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void)
    /// Returns up to `count` messages of a conversation before a place (nil for the end), the oldest first.
    func messages(of buddy: ChatAddress, before place: Int64?, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// Returns up to `count` messages of a conversation from a place on, the oldest first.
    func messages(of buddy: ChatAddress, from place: Int64, count: Int) async throws(StoreError)
        -> [ChatMessage]
    /// Returns the first unread message of a conversation.
    func firstUnread(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    /// Returns the user’s last message in a conversation.
    func lastMine(of buddy: ChatAddress) async throws(StoreError) -> ChatMessage?
    /// Returns the user’s waiting messages of all conversations, in the order in which they are to be sent.
    func waiting() async throws(StoreError) -> [ChatMessage]
    /// Returns the user’s messages with a correction that the server has not acknowledged, in the order of each
    /// conversation.
    func corrections() async throws(StoreError) -> [ChatMessage]
    /// Returns up to `count` messages that contain the words, the newest first. The last word matches as a prefix.
    ///
    /// - Parameter buddy: The buddy of the conversation to search; nil for all.
    func search(_ words: String, of buddy: ChatAddress?, count: Int) async throws(StoreError) -> [ChatMessage]
    /// Returns the stored roster, unread counts and drafts, to show before the service is online.
    func summary() async throws(StoreError) -> ChatSummary
    /// Saves the roster, in place of the previous one.
    func saveBuddies(_ buddies: [BuddyRecord], version: String?)
    /// Saves a draft; an empty text removes it.
    func saveDraft(_ text: String, for buddy: ChatAddress)
    /// Saves the list of rooms, in place of the previous one.
    func saveRooms(_ rooms: [RoomRecord])
    /// Returns the position up to which an archive has been read; nil if nothing has been read.
    ///
    /// - Parameter room: The room whose archive it is; nil for the account’s.
    func archiveCursor(of room: ChatAddress?) async throws(StoreError) -> String?
    /// Returns the past that is still to be loaded from the archive of a room, or of the account; nil if there is none.
    func archivePast(of room: ChatAddress?) async throws(StoreError) -> ArchivePast?
    /// Calls `completion` when the data of all previous calls is on the disk.
    func flush(_ completion: @escaping @MainActor () -> Void)
}

extension MessageStore {
    /// Applies updates of the current account.
    public func apply(
        _ updates: [MessageUpdate],
        completion: @escaping @MainActor (Result<MessageChanges, StoreError>) -> Void
    ) {
        apply(updates, of: account, completion: completion)
    }
}

/// A roster entry.
public struct BuddyRecord: Hashable, Sendable {
    /// The buddy’s address.
    public let address: ChatAddress
    /// The name that the user gave the buddy; empty to show the address.
    public var name: String
    /// Whether the user receives the buddy’s presence.
    public var tellsMe: Bool
    /// Whether the buddy receives the user’s presence.
    public var toldByMe: Bool
    /// Whether the user’s subscription request is pending.
    public var isAsked: Bool
    /// Whether the user has declined the buddy’s subscription request, and has not requested the buddy’s presence
    /// since.
    public var isDeclined: Bool

    /// Creates a roster entry.
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

/// A summary of the stored data.
public struct ChatSummary: Hashable, Sendable {
    /// The last known roster.
    public var buddies: [BuddyRecord]
    /// The server’s version of that roster.
    public var version: String?
    /// The buddies with a conversation, and the time of the last message of each.
    public var conversations: [ChatAddress: ChatTime]
    /// The number of unread messages, for each buddy that has some.
    public var unread: [ChatAddress: Int]
    /// The saved drafts.
    public var drafts: [ChatAddress: String]
    /// The last known list of rooms.
    public var rooms: [RoomRecord]

    /// Creates a summary.
    public init(
        buddies: [BuddyRecord] = [], version: String? = nil, conversations: [ChatAddress: ChatTime] = [:],
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
