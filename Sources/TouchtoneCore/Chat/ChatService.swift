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
    /// Stops reading from the server, because received data cannot be saved now, or resumes it.
    ///
    /// Stanzas that are not read are not acknowledged, so the server keeps them.
    func setPaused(_ isPaused: Bool)
    /// Publishes the user’s presence.
    func setPresence(_ presence: OwnPresence)

    /// The service’s messages.
    var messages: any MessageService { get }
    /// The service’s roster; nil if it has none.
    var roster: (any RosterService)? { get }
    /// The profiles and pictures of the account and its buddies; nil if the service has none.
    var profiles: (any ProfileService)? { get }
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
    /// No roster.
    public var roster: (any RosterService)? { nil }
    /// No profiles.
    public var profiles: (any ProfileService)? { nil }
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
