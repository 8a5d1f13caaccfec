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
    /// Stops reading from the server, so that it keeps what cannot be saved now, or resumes it.
    func setPaused(_ isPaused: Bool)
    func setPresence(_ presence: OwnPresence)

    var messages: any MessageService { get }
    var roster: (any RosterService)? { get }
    /// The profiles and pictures of the account and its buddies; nil if the service has none.
    var profiles: (any ProfileService)? { get }
    var rooms: (any RoomService)? { get }
    var files: (any FileService)? { get }
    /// The service’s way for files between devices; nil if it has none.
    var directFiles: (any DirectFileService)? { get }
    /// The service’s gateway to telephone numbers; nil if it has none.
    var gateway: (any GatewayService)? { get }
    /// The service’s invitations; nil if it makes none.
    var invitations: (any InvitationService)? { get }
    /// The service’s real-time text; nil if it has none.
    var realTimeText: (any RealTimeTextService)? { get }
    /// The service’s encryption; nil if it has none.
    var encryption: (any EncryptionService)? { get }
}

extension ChatService {
    public var roster: (any RosterService)? { nil }
    public var profiles: (any ProfileService)? { nil }
    public var rooms: (any RoomService)? { nil }
    public var files: (any FileService)? { nil }
    public var directFiles: (any DirectFileService)? { nil }
    public var gateway: (any GatewayService)? { nil }
    public var invitations: (any InvitationService)? { nil }
    public var realTimeText: (any RealTimeTextService)? { nil }
    public var encryption: (any EncryptionService)? { nil }
}

public enum ChatServiceEvent: Sendable {
    /// The service’s account changed; nil is no account. Later events belong to the new account.
    case account(ChatAddress?)
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
    case blocked(Set<ChatAddress>)
    case typing(ChatAddress, Typing)
    case realTimeText(ChatAddress, RealTimeTextChange)
    /// A buddy’s avatar changed: the image file that was published, or nil for none.
    case picture(ChatAddress, [UInt8]?)
    case room(Room)
    case roomRemoved(ChatAddress)
    case choice(ChatAddress, SharedChoice)
    case invitation(RoomInvitation)
    /// Whether a conversation can be encrypted has been learnt, or its keys have changed.
    case encryption(ChatAddress, EncryptionSupport)
    /// A conversation without a choice is encrypted from now on, because the buddy has keys.
    case encryptionBegan(ChatAddress)
    /// The reason why messages of an encrypted conversation wait; nil if none do any more.
    case encryptionObstacle(ChatAddress, EncryptionObstacle?)
    /// A device does not offer a file any more; with the address of the file.
    case offerEnded(String)
    /// The account’s gateway to telephone numbers was found.
    case gateway(ChatAddress)
}

/// A chat state (XEP-0085).
public enum Typing: Hashable, Sendable {
    case composing
    /// Paused with typed text in the field.
    case paused
    /// Attending to the conversation.
    case active
    case gone
}

/// The availability of a buddy, or of the user.
public enum Availability: Int, Hashable, Comparable, Sendable, CaseIterable {
    /// Free to chat.
    case chat
    case online
    case away
    case extendedAway
    case busy
    case offline

    /// Orders availability as the list of buddies does.
    public static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }
}

public struct DevicePresence: Hashable, Sendable {
    /// The device’s availability; never `offline`.
    public var availability: Availability
    public var status: String
    /// The device’s priority: the device with the highest one represents the buddy.
    public var priority: Int

    public init(_ availability: Availability, status: String = "", priority: Int = 0) {
        self.availability = availability
        self.status = status
        self.priority = priority
    }
}

public struct OwnPresence: Hashable, Sendable {
    /// The availability; `offline` signs out.
    public var availability: Availability
    public var status: String

    public init(_ availability: Availability = .online, status: String = "") {
        self.availability = availability
        self.status = status
    }
}
