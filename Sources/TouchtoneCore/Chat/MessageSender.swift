// SPDX-License-Identifier: GPL-3.0-or-later

/// The sender of a message, as seen from its conversation.
public enum MessageSender: Hashable, Sendable {
    /// The user, on this device or on another one of the account; in a room, also as its occupant.
    case me
    /// The other side of the conversation: the buddy, or a room that says something itself.
    case buddy
    /// Somebody else in a room (XEP-0045).
    case occupant(RoomOccupant)

    /// What two messages of one sender have in common, however the sender was named at the time.
    ///
    /// Names, corrections and receipts of messages count within one identity only.
    public enum Identity: Hashable, Sendable {
        /// The user.
        case me
        /// The other side of the conversation.
        case buddy
        /// An occupant, by the identifier that the room gives it (XEP-0421).
        case occupant(id: String)
        /// An occupant of a room that gives no identifiers, by its nickname.
        case nickname(String)
    }

    /// The sender's identity within the conversation.
    public var identity: Identity {
        switch self {
        case .me: .me
        case .buddy: .buddy
        case .occupant(let occupant): occupant.id.map { .occupant(id: $0) } ?? .nickname(occupant.nickname)
        }
    }
}

/// An occupant of a room, as it was when it sent a message.
public struct RoomOccupant: Hashable, Sendable {
    /// The nickname at that time, as the room gave it.
    public let nickname: String
    /// The identifier that stays when the nickname changes (XEP-0421); nil in a room that gives none.
    public let id: String?
    /// The occupant's own address; nil where the room hides it.
    public let address: ChatAddress?

    /// Creates an occupant.
    public init(nickname: String, id: String? = nil, address: ChatAddress? = nil) {
        self.nickname = nickname
        self.id = id
        self.address = address
    }
}
