// SPDX-License-Identifier: GPL-3.0-or-later

/// A group chat (XEP-0045), as its row in the list and its conversation show it.
public struct Room: Hashable, Sendable {
    public enum Standing: Hashable, Sendable {
        case joining
        /// The user is in the room, and messages can be sent.
        case joined
        /// The user is not in the room; with the reason, if the room or the server gave one.
        case outside(RoomError?)
    }

    /// The part of the state that is kept across runs.
    public var record: RoomRecord
    public var standing: Standing
    /// The topic; empty for none.
    public var topic: String
    /// The number of people in the room, including the user.
    public var peopleCount: Int
    /// The changes that the user may make in the room.
    public var rights: RoomRights

    public init(
        _ record: RoomRecord, standing: Standing = .outside(nil), topic: String = "", peopleCount: Int = 0,
        rights: RoomRights = []
    ) {
        (self.record, self.standing, self.topic) = (record, standing, topic)
        (self.peopleCount, self.rights) = (peopleCount, rights)
    }

    public var address: ChatAddress { record.address }
    public var nickname: String { record.nickname }
}

public struct RoomRecord: Hashable, Sendable {
    public let address: ChatAddress
    /// The name of the room; empty to show the address.
    public var name: String
    public var nickname: String
    /// Whether the room is entered after each sign-in.
    public var isAutojoined: Bool
    /// Whether the account’s server has a bookmark of the room (XEP-0402).
    public var isBookmarked: Bool
    /// Whether all messages cause a notification, and not only those that mention the user.
    public var notifiesAll: Bool
    /// Whether the user was told that everybody in the room can see the user’s address.
    public var showsAddresses: Bool

    public init(
        _ address: ChatAddress, name: String = "", nickname: String, isAutojoined: Bool = true,
        isBookmarked: Bool = false, notifiesAll: Bool = false, showsAddresses: Bool = false
    ) {
        (self.address, self.name, self.nickname) = (address, name, nickname)
        (self.isAutojoined, self.isBookmarked, self.notifiesAll) = (isAutojoined, isBookmarked, notifiesAll)
        self.showsAddresses = showsAddresses
    }
}

/// How a room is created.
public struct RoomCreation: Hashable, Sendable {
    /// The name of the room; empty for none.
    public let name: String
    /// Whether only members may enter, and all of them see each other's addresses: such a room can be encrypted.
    public let isPrivate: Bool

    public init(name: String = "", isPrivate: Bool = false) {
        (self.name, self.isPrivate) = (name, isPrivate)
    }
}

/// The changes that an occupant may make in a room.
public struct RoomRights: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let speak = RoomRights(rawValue: 1)
    /// Removing an occupant, who may return.
    public static let kick = RoomRights(rawValue: 2)
    /// Banning a person, who cannot return.
    public static let ban = RoomRights(rawValue: 4)
    /// Changing the room's settings, and appointing administrators and owners.
    public static let own = RoomRights(rawValue: 8)
    /// Deleting the messages of others for everyone.
    public static let moderate = RoomRights(rawValue: 16)
}

/// A person in a room, or one who is absent but has a lasting relation to it.
public struct RoomPerson: Hashable, Sendable {
    /// The role in a room, for the present visit (XEP-0045 section 5.1).
    public enum Role: String, Hashable, Sendable {
        /// A person who may remove others and grant voice.
        case moderator
        case participant
        /// A person who may only listen, in a moderated room.
        case visitor
    }

    /// The lasting relation to a room (XEP-0045 section 5.2).
    public enum Affiliation: String, Hashable, Sendable {
        case owner, admin, member, none
        /// The person is banned.
        case outcast
    }

    /// The nickname; the address of an absent person, who has none.
    public let nickname: String
    public let role: Role?
    public let affiliation: Affiliation
    /// The person’s own address; nil if the room hides it.
    public let address: ChatAddress?
    public let availability: Availability
    /// Whether this is the user.
    public let isMe: Bool

    /// Whether the person is not in the room.
    public var isAbsent: Bool { role == nil }

    public init(
        nickname: String, role: Role?, affiliation: Affiliation, address: ChatAddress?,
        availability: Availability, isMe: Bool
    ) {
        (self.nickname, self.role, self.affiliation) = (nickname, role, affiliation)
        (self.address, self.availability, self.isMe) = (address, availability, isMe)
    }

    public init(absent address: ChatAddress, _ affiliation: Affiliation) {
        self.init(
            nickname: address.text, role: nil, affiliation: affiliation, address: address,
            availability: .offline, isMe: false)
    }
}

/// An invitation to a room, which only the user accepts.
public struct RoomInvitation: Hashable, Identifiable, Sendable {
    public let room: ChatAddress
    /// The person who invites the user, who may be an occupant of another room; nil if that is not known.
    public let inviter: ChatAddress?
    /// The inviter’s reason; often empty.
    public let reason: String
    /// The password of the room; empty for none.
    public let password: String
    /// Whether the room passed the invitation on, and so can tell the inviter that the user declined.
    public let isMediated: Bool

    /// The room’s address: a room has one pending invitation.
    public var id: ChatAddress { room }

    /// Creates an invitation.
    public init(
        to room: ChatAddress, from inviter: ChatAddress?, reason: String = "", password: String = "",
        isMediated: Bool = false
    ) {
        (self.room, self.inviter, self.reason) = (room, inviter, reason)
        (self.password, self.isMediated) = (password, isMediated)
    }
}

public enum RoomError: Error, Hashable, Sendable {
    case nicknameTaken
    case nicknameInvalid
    /// The room requires a password, or a different one.
    case password
    case membersOnly
    case banned
    case missing
    case full
    case notARoom
    case offline
    /// Another reason, as a sentence for the user.
    case refused(String)

    /// The reason, as a sentence for the user.
    public var text: String {
        switch self {
        case .nicknameTaken:
            localized("Somebody in this room already has this nickname. Choose another one.")
        case .nicknameInvalid: localized("This nickname is not allowed. Choose another one.")
        case .password: localized("This room needs a password, or a different one.")
        case .membersOnly: localized("Only members may enter this room. Ask its owner to add you.")
        case .banned: localized("You are banned from this room.")
        case .missing: localized("This room does not exist.")
        case .full: localized("This room is full. Try again later.")
        case .notARoom: localized("This is not the address of a room.")
        case .offline: localized("You are offline.")
        case .refused(let reason): reason
        }
    }
}
