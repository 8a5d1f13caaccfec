// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// An event in a room that is told in its conversation.
enum RoomNotice: Hashable {
    enum Removal: Hashable {
        case kicked, banned, affiliation, membersOnly, shutdown, technical
    }

    case entered(String)
    case left(String)
    case renamed(from: String, to: String, isMe: Bool)
    /// An occupant was removed; a nil nickname is the user.
    case removed(String?, Removal, by: String?, reason: String)
    case destroyed(alternative: JID?, reason: String)
    /// The topic was changed; a nil nickname is the room.
    case topic(String, by: String?)
    case topicRefused(reason: String)
    /// A visitor asks the moderators, of whom the user is one, for the right to speak.
    case asksToSpeak(String)
    /// Everybody in the room can see the user's address; it may have become so only now.
    case showsAddresses(isNew: Bool)

    var text: String {
        switch self {
        case .entered(let name): localized("{name} entered the room.", ["name": name])
        case .left(let name): localized("{name} left the room.", ["name": name])
        case .renamed(_, let new, true): localized("You are now known as {name}.", ["name": new])
        case .renamed(let old, let new, false):
            localized("{old} is now known as {new}.", ["old": old, "new": new])
        case .removed(let name, let way, let actor, let reason):
            Self.with(reason: reason, name.map { Self.text($0, way, actor) } ?? Self.ownText(way, actor))
        case .destroyed(let alternative, let reason):
            Self.with(
                reason: reason,
                alternative.map {
                    localized("The room was closed. Continue in {room}.", ["room": $0.description])
                } ?? localized("The room was closed."))
        case .topic("", let name):
            name.map { localized("{name} removed the topic.", ["name": $0]) }
                ?? localized("The topic was removed.")
        case .topic(let topic, let name):
            name.map { localized("{name} changed the topic to: {topic}", ["name": $0, "topic": topic]) }
                ?? localized("The topic is now: {topic}", ["topic": topic])
        case .topicRefused(let reason):
            localized("The topic was not changed. {reason}", ["reason": reason])
        case .asksToSpeak(let name):
            localized("{name} would like to speak. To allow it, use the list of people.", ["name": name])
        case .showsAddresses: localized("Everybody in this room can see your address.")
        }
    }

    private static func text(_ name: String, _ way: Removal, _ actor: String?) -> String {
        switch (way, actor) {
        case (.kicked, let actor?):
            localized("{name} was removed by {actor}.", ["name": name, "actor": actor])
        case (.kicked, nil): localized("{name} was removed.", ["name": name])
        case (.banned, let actor?):
            localized("{name} was banned by {actor}.", ["name": name, "actor": actor])
        case (.banned, nil): localized("{name} was banned.", ["name": name])
        case (.affiliation, _):
            localized("{name} was removed from the members of the room.", ["name": name])
        case (.membersOnly, _):
            localized("{name} was removed, because the room is now for members only.", ["name": name])
        case (.shutdown, _), (.technical, _): localized("{name} lost the connection.", ["name": name])
        }
    }

    private static func ownText(_ way: Removal, _ actor: String?) -> String {
        switch (way, actor) {
        case (.kicked, let actor?):
            localized("You were removed from the room by {actor}.", ["actor": actor])
        case (.kicked, nil): localized("You were removed from the room.")
        case (.banned, let actor?):
            localized("You were banned from the room by {actor}.", ["actor": actor])
        case (.banned, nil): localized("You were banned from the room.")
        case (.affiliation, _): localized("You were removed from the members of the room.")
        case (.membersOnly, _):
            localized("You were removed, because the room is now for members only.")
        case (.shutdown, _): localized("The room’s server is shutting down.")
        case (.technical, _): localized("The room lost its connection to you.")
        }
    }

    private static func with(reason: String, _ sentence: String) -> String {
        reason.isEmpty
            ? sentence : localized("{sentence} Reason: {reason}", ["sentence": sentence, "reason": reason])
    }
}
