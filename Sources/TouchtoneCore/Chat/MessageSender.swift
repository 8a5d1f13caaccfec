// SPDX-License-Identifier: GPL-3.0-or-later

/// The sender of a message, relative to its conversation.
public enum MessageSender: Hashable, Sendable {
    /// The user, on this device or another device of the account; in a room, also as an occupant.
    case me
    /// The other side of the conversation: the buddy, or the room itself.
    case buddy
    /// Another occupant of a room (XEP-0045), which is rare and so stored apart.
    indirect case occupant(RoomOccupant)

    /// The identity of a sender, within which IDs, corrections and receipts are valid; the name may change.
    public enum Identity: Hashable, Sendable {
        /// The user.
        case me
        /// The other side of the conversation.
        case buddy
        /// An occupant with the identifier that the room assigns (XEP-0421).
        case occupant(id: String)
        /// An occupant of a room without identifiers, by nickname.
        case nickname(String)
    }

    /// The address of an occupant, if its room tells it.
    var address: ChatAddress? { if case .occupant(let occupant) = self { occupant.address } else { nil } }

    public var identity: Identity {
        switch self {
        case .me: .me
        case .buddy: .buddy
        case .occupant(let occupant): occupant.id.map { .occupant(id: $0) } ?? .nickname(occupant.nickname)
        }
    }
}

/// An occupant of a room at the time of a message.
public struct RoomOccupant: Hashable, Sendable {
    /// The nickname at that time, as the room reported it.
    public let nickname: String
    /// The identifier that survives a change of nickname (XEP-0421); nil if the room assigns none.
    public let id: String?
    /// The occupant’s own address; nil if the room hides it.
    public let address: ChatAddress?

    public init(nickname: String, id: String? = nil, address: ChatAddress? = nil) {
        self.nickname = nickname
        self.id = id
        self.address = address
    }
}
