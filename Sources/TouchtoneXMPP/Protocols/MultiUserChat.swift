// SPDX-License-Identifier: GPL-3.0-or-later

/// Rooms (XEP-0045).
public enum MultiUserChat {
    static let namespace = "http://jabber.org/protocol/muc"
    static let user = "http://jabber.org/protocol/muc#user"
    static let invitation = "jabber:x:conference"

    /// Creates the presence that enters a room under a nickname; returns nil if the nickname is not allowed.
    ///
    /// - Parameters:
    ///   - room: The address of the room.
    ///   - name: The nickname.
    ///   - since: The earliest time of past messages to receive; nil for none.
    public static func entering(_ room: JID, as name: String, since: Timestamp? = nil) -> Presence? {
        guard let occupant = room.bare.with(resource: name), !occupant.isBare else { return nil }
        let history = XMLElement(
            "history", namespace,
            ["maxchars": since == nil ? "0" : nil, "since": since?.description])
        return Presence(to: occupant, extensions: [XMLElement("x", namespace, [:], [history])])
    }

    /// Creates the presence that leaves a room.
    public static func leaving(_ occupant: JID) -> Presence { Presence(.unavailable, to: occupant) }

    /// Returns the room's status codes in a presence: 110 is our own presence, 201 a new room (XEP-0045 section
    /// 15.6.2).
    public static func codes(in presence: Presence) -> Set<Int> {
        let note = presence.extensions.first { $0.isNamed("x", user) }
        return Set(note?.children("status").compactMap { $0["code"].flatMap { Int($0) } } ?? [])
    }

    /// Returns whether we are still in a room (XEP-0410), given the room's response to a ping of ourselves.
    ///
    /// - Returns: Nil if the response leaves it open.
    public static func isInside(_ answer: Result<Void, RequestError>) -> Bool? {
        switch answer {
        case .success: true
        case .failure(.refused(let error)):
            switch error.condition {
            case "service-unavailable", "feature-not-implemented", "item-not-found": true
            case "remote-server-not-found", "remote-server-timeout": nil
            default: false
            }
        case .failure: nil
        }
    }

    /// Creates an invitation to a room (XEP-0249).
    public static func invitation(of jid: JID, to room: JID, reason: String = "") -> Message {
        let note = XMLElement(
            "x", invitation, ["jid": room.bare.description, "reason": reason.isEmpty ? nil : reason])
        return Message(.normal, to: jid, extensions: [note])
    }

    /// Returns the room that a message invites us to; nil if it is not an invitation.
    ///
    /// Joining is the user's decision.
    public static func invitation(in message: Message) -> (room: JID, reason: String)? {
        guard let note = message.extension(invitation, "x"), message.kind != .error,
            let room = note["jid"].flatMap({ JID($0) }), room.isBare
        else { return nil }
        return (room, note["reason"] ?? "")
    }
}
