// SPDX-License-Identifier: GPL-3.0-or-later

/// A service that transports messages: a Jabber account, or the practice exchange.
@MainActor
public protocol ChatService: AnyObject {
    /// The receiver of all events; set once, by `Chat`.
    var onEvent: (@MainActor (ChatServiceEvent) -> Void)? { get set }
    /// Returns whether the service carries a conversation.
    func carries(_ buddy: ChatAddress) -> Bool
    /// Returns the normalized address that a text stands for; nil if the text is not an address.
    func address(_ text: String) -> ChatAddress?

    /// Returns whether a text is short enough to send to a buddy, also as a correction.
    func canSend(_ text: String, to buddy: ChatAddress) -> Bool
    /// Sends a stored message that is waiting, and reports its progress as updates. While it cannot send, the service
    /// does nothing, and later reports `ready` to receive the waiting messages again. A message that is already on its
    /// way is not sent again.
    func send(_ message: ChatMessage)
    /// Sends the corrected text of the user’s message in a stanza with the ID `name`.
    func sendCorrection(of message: ChatMessage, name: String)
    /// Sends a delivery receipt to the buddy. Called once the message is stored.
    func confirmArrival(of message: ChatMessage)
    /// Reports to the buddy, and to the user’s other devices, that the messages up to this one have been read.
    func confirmReading(of message: ChatMessage)
    /// Sends the user’s chat state to the buddy (XEP-0085).
    func tell(_ typing: Typing, to buddy: ChatAddress)
    /// Requests older messages from the archive. They are reported as an update before this function returns.
    ///
    /// - Parameter archiveName: The archive’s identifier of the message before which to start; nil for the newest
    ///   messages.
    /// - Returns: Whether the archive may have more.
    func loadHistory(of buddy: ChatAddress, before archiveName: String?) async throws(ChatServiceError)
        -> Bool

    /// Adds a buddy to the roster, and requests a subscription to its presence.
    func add(_ buddy: ChatAddress, name: String) async throws(ChatServiceError)
    /// Renames a buddy; an empty name shows the address.
    func rename(_ buddy: ChatAddress, _ name: String) async throws(ChatServiceError)
    /// Removes a buddy from the roster, and ends both presence subscriptions. The conversation is kept.
    func remove(_ buddy: ChatAddress) async throws(ChatServiceError)
    /// Blocks or unblocks an address.
    func setBlocked(_ isBlocked: Bool, _ buddy: ChatAddress) async throws(ChatServiceError)
    /// Accepts or declines a request to see the user’s presence.
    func answerRequest(of buddy: ChatAddress, accept: Bool) async throws(ChatServiceError)
    /// Stops reading from the server, because received data cannot be saved now, or resumes it.
    ///
    /// Stanzas that are not read are not acknowledged, so the server keeps them.
    func setPaused(_ isPaused: Bool)
    /// Publishes the user’s presence.
    func setPresence(_ presence: OwnPresence)
    /// Publishes the user’s picture, a PNG file that is reported as the account’s own; nil removes it.
    func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError)
    /// Requests the profile that a buddy, or the account itself, publishes; an empty one if there is none.
    func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile
    /// Changes the first text of each given field of the user’s profile; an empty one removes it.
    func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError)
    /// The service’s group chats; nil if it has none.
    var rooms: (any RoomService)? { get }
    /// The service’s places for files; nil if it has none.
    var files: (any FileService)? { get }
    /// The service’s way for files between devices; nil if it has none.
    var directFiles: (any DirectFileService)? { get }
    /// The service’s gateway to telephone numbers; nil if it has none.
    var gateway: (any GatewayService)? { get }
}

extension ChatService {
    /// No pictures.
    public func setPicture(_ picture: [UInt8]?) async throws(ChatServiceError) { throw .unsupported }
    /// No profiles.
    public func profile(of buddy: ChatAddress) async throws(ChatServiceError) -> Profile {
        throw .unsupported
    }
    /// No profiles.
    public func changeProfile(_ changes: [Profile.Field: String]) async throws(ChatServiceError) {
        throw .unsupported
    }
    /// No group chats.
    public var rooms: (any RoomService)? { nil }
    /// No files.
    public var files: (any FileService)? { nil }
    /// No files between devices.
    public var directFiles: (any DirectFileService)? { nil }
    /// No gateway.
    public var gateway: (any GatewayService)? { nil }
}

/// An event that a service reports.
public enum ChatServiceEvent: Sendable {
    /// The account whose conversations the service carries changed; nil is no account. Later events belong to the new
    /// account.
    case account(ChatAddress?)
    /// The state changed.
    case state(AccountState)
    /// The service can send: waiting messages are to be sent, in order.
    case ready
    /// Messages were received or changed their state.
    case updates([MessageUpdate])
    /// The whole roster and its version were received.
    case buddies([BuddyRecord], version: String?)
    /// A roster entry was added or changed; with the roster’s new version.
    case buddy(BuddyRecord, version: String?)
    /// A roster entry was removed; with the roster’s new version.
    case buddyRemoved(ChatAddress, version: String?)
    /// The presence of one device of a buddy changed; nil is offline. Other devices are not affected.
    case presence(ChatAddress, device: String, DevicePresence?)
    /// Resets the presence of all contacts to unknown.
    case presenceReset
    /// An address requested to see the user’s presence, with the given text.
    case request(ChatAddress, text: String)
    /// A request was withdrawn, or answered on another device.
    case requestGone(ChatAddress)
    /// The block list changed.
    case blocked(Set<ChatAddress>)
    /// A buddy’s chat state changed.
    case typing(ChatAddress, Typing)
    /// A buddy’s avatar changed: the image file that was published, or nil for none.
    case picture(ChatAddress, [UInt8]?)
    /// A room was added to the list, or its state changed.
    case room(Room)
    /// A room was removed from the list.
    case roomRemoved(ChatAddress)
    /// Somebody invites the user to a room.
    case invitation(RoomInvitation)
    /// A device does not offer a file any more; with the address of the file.
    case offerEnded(String)
    /// The account’s gateway to telephone numbers was found.
    case gateway(ChatAddress)
}

/// The reason why a service could not perform a request.
public enum ChatServiceError: Error, Hashable, Sendable {
    /// The service is offline.
    case offline
    /// The request was refused; with the reason, for the user.
    case refused(String)
    /// The request is not supported.
    case unsupported
}

/// A chat state (XEP-0085).
public enum Typing: Hashable, Sendable {
    /// Typing.
    case composing
    /// Paused with typed text in the field.
    case paused
    /// Attending to the conversation.
    case active
    /// No longer attending to the conversation.
    case gone
}

/// The availability of a buddy, or of the user.
public enum Availability: Int, Hashable, Comparable, Sendable, CaseIterable {
    /// Free to chat.
    case chat
    /// Online.
    case online
    /// Away.
    case away
    /// Away for an extended period.
    case extendedAway
    /// Busy; not to be disturbed.
    case busy
    /// Offline.
    case offline

    /// Orders availability as the list of buddies does.
    public static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }
}

/// The presence of one device.
public struct DevicePresence: Hashable, Sendable {
    /// The device’s availability; never `offline`.
    public var availability: Availability
    /// The status message.
    public var status: String
    /// The device’s priority: the device with the highest one represents the buddy.
    public var priority: Int

    /// Creates the presence of a device.
    public init(_ availability: Availability, status: String = "", priority: Int = 0) {
        self.availability = availability
        self.status = status
        self.priority = priority
    }
}

/// The user’s own presence.
public struct OwnPresence: Hashable, Sendable {
    /// The availability; `offline` signs out.
    public var availability: Availability
    /// The status message.
    public var status: String

    /// Creates a presence.
    public init(_ availability: Availability = .online, status: String = "") {
        self.availability = availability
        self.status = status
    }
}
