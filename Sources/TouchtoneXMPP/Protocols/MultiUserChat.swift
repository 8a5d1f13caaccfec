// SPDX-License-Identifier: GPL-3.0-or-later

/// Talks of many (XEP-0045).
public enum MultiUserChat {
    static let namespace = "http://jabber.org/protocol/muc"
    static let user = "http://jabber.org/protocol/muc#user"
    static let invitation = "jabber:x:conference"

    /// Goes into a room, under a name; nil if the name is not allowed.
    ///
    /// - Parameter since: the messages from then on are sent again; nil is none.
    public static func entering(_ room: JID, as name: String, since: Timestamp? = nil) -> Presence? {
        guard let occupant = room.bare.with(resource: name), !occupant.isBare else { return nil }
        let history = XMLElement(
            "history", namespace,
            ["maxchars": since == nil ? "0" : nil, "since": since?.description])
        return Presence(to: occupant, extensions: [XMLElement("x", namespace, [:], [history])])
    }

    /// Goes out of a room.
    public static func leaving(_ occupant: JID) -> Presence { Presence(.unavailable, to: occupant) }

    /// What a room says with a presence: 110 is our own, 201 a room that is new (section 15.6.2).
    public static func codes(in presence: Presence) -> Set<Int> {
        let note = presence.extensions.first { $0.isNamed("x", user) }
        return Set(note?.children("status").compactMap { $0["code"].flatMap { Int($0) } } ?? [])
    }

    /// Whether we are still in a room (XEP-0410): its answer to a ping of ourselves.
    ///
    /// - Returns: nil where it can't be told.
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

    /// Asks somebody into a room (XEP-0249).
    public static func invitation(of jid: JID, to room: JID, reason: String = "") -> Message {
        let note = XMLElement(
            "x", invitation, ["jid": room.bare.description, "reason": reason.isEmpty ? nil : reason])
        return Message(.normal, to: jid, extensions: [note])
    }

    /// The room that a message asks us into; nil for what does not ask.
    ///
    /// It is for the user to say yes.
    public static func invitation(in message: Message) -> (room: JID, reason: String)? {
        guard let note = message.extension(invitation, "x"), message.kind != .error,
            let room = note["jid"].flatMap({ JID($0) }), room.isBare
        else { return nil }
        return (room, note["reason"] ?? "")
    }
}
