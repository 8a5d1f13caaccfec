// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Rooms (XEP-0045).
enum MultiUserChat {
    static let namespace = "http://jabber.org/protocol/muc"
    static let user = "http://jabber.org/protocol/muc#user"
    static let owner = "http://jabber.org/protocol/muc#owner"
    static let admin = "http://jabber.org/protocol/muc#admin"
    static let request = "http://jabber.org/protocol/muc#request"
    static let configuration = "http://jabber.org/protocol/muc#roomconfig"
    /// Registration with a service (XEP-0077).
    static let register = "jabber:iq:register"
    static let invitation = "jabber:x:conference"
    static let occupantID = "urn:xmpp:occupant-id:0"
    /// The feature of rooms that keep the IDs of messages (XEP-0045 section 15.3).
    static let stableIDs = "http://jabber.org/protocol/muc#stable_id"

    /// The past messages to receive on entering a room.
    enum History: Hashable, Sendable {
        /// None: the archive of the room has them.
        case none
        case last(Int)
        /// Those of the last seconds: an age depends less on the accuracy of the clocks than a time.
        case seconds(Int)
    }

    /// - Parameter password: The password of the room; empty for none.
    /// - Returns: Nil if the nickname is not allowed.
    static func entering(
        _ room: JID, as name: String, history: History = .none, password: String = ""
    ) -> Presence? {
        guard let occupant = room.bare.with(resource: name), !occupant.isBare else { return nil }
        var (most, age): (String?, String?) = (nil, nil)
        switch history {
        case .none: most = "0"
        case .last(let count): most = "\(count)"
        case .seconds(let seconds): age = "\(max(0, seconds))"
        }
        var parts = [XMLElement("history", namespace, ["maxstanzas": most, "seconds": age])]
        if !password.isEmpty { parts.append(XMLElement("password", namespace, text: password)) }
        return Presence(to: occupant, extensions: [XMLElement("x", namespace, [:], parts)])
    }

    static func leaving(_ occupant: JID) -> Presence { Presence(.unavailable, to: occupant) }

    /// Returns the status codes of a room (XEP-0045 section 15.6.2): 110 is our own presence, 201 a new room.
    static func codes(in presence: Presence) -> Set<Int> { codes(in: presence.extensions) }

    static func codes(in extensions: [XMLElement]) -> Set<Int> {
        let note = extensions.first { $0.isNamed("x", user) }
        return Set(note?.children("status").compactMap { $0["code"].flatMap { Int($0) } } ?? [])
    }

    /// Returns whether we are still in a room (XEP-0410), given the room's response to a ping of ourselves.
    ///
    /// - Returns: Nil if the response leaves it open.
    static func isInside(_ answer: Result<Void, RequestError>) -> Bool? {
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

    /// Returns the identifier that the room assigned to the sender (XEP-0421).
    ///
    /// The caller must know that the room assigns them, because senders could forge them.
    static func occupantID(in extensions: [XMLElement]) -> String? {
        extensions.first { $0.isNamed("occupant-id", occupantID) }?["id"].flatMap(MessageReader.bounded)
    }

    /// Creates the request to speak in a moderated room (XEP-0045 section 7.13).
    static func requestingVoice(in room: JID) -> Message {
        let form = DataForm.submission(request, [("muc#role", "participant")])
        return Message(.normal, to: room.bare, id: RandomText.make(16), extensions: [form])
    }

    /// Returns the nickname of the visitor for whom a room asks its moderators for voice (XEP-0045 section 8.6).
    ///
    /// It counts only from the bare address of the room: occupants could forge it.
    static func voiceRequest(in message: Message) -> String? {
        guard message.kind == .normal, message.body == nil, let sender = message.from, sender.isBare,
            let form = message.extension(DataForm.namespace, "x")
        else { return nil }
        let value = { (name: String) in
            form.children("field").first { $0["var"] == name }?.child("value")?.text
        }
        guard value("FORM_TYPE") == request, let name = value("muc#roomnick"), !name.isEmpty else {
            return nil
        }
        return String(PlainText.line(name).prefix(100))
    }

    /// Creates an invitation that the room passes on (XEP-0045 section 7.8.2).
    static func mediatedInvitation(of jid: JID, to room: JID, reason: String) -> Message {
        let text = reason.isEmpty ? [] : [XMLElement("reason", user, text: reason)]
        let invite = XMLElement("invite", user, ["to": jid.description], text)
        return Message(.normal, to: room.bare, extensions: [XMLElement("x", user, [:], [invite])])
    }

    static func declining(_ room: JID, from inviter: JID) -> Message {
        let decline = XMLElement("decline", user, ["to": inviter.description])
        return Message(.normal, to: room.bare, extensions: [XMLElement("x", user, [:], [decline])])
    }

    /// Creates an invitation to a room (XEP-0249).
    static func invitation(of jid: JID, to room: JID, reason: String = "") -> Message {
        let note = XMLElement(
            "x", invitation, ["jid": room.bare.description, "reason": reason.isEmpty ? nil : reason])
        return Message(.normal, to: jid, extensions: [note])
    }

    struct Invitation: Hashable, Sendable {
        let room: JID
        /// The person who invites us; nil if the room hides it.
        let inviter: JID?
        let reason: String
        let password: String
        /// Whether the room passed the invitation on.
        let isMediated: Bool
    }

    /// Returns the invitation in a message; nil if there is none, or its sender is not entitled to it.
    ///
    /// A mediated invitation counts only from the bare address of its room: occupants could forge it. Joining is the
    /// user's decision.
    static func invitation(in message: Message) -> Invitation? {
        guard message.kind != .error, message.kind != .groupchat, let sender = message.from else {
            return nil
        }
        if let invite = message.extension(user, "x")?.child("invite") {
            guard sender.isBare, !sender.local.isEmpty else { return nil }
            let inviter = invite["from"].flatMap { JID($0) }
            guard inviter != nil || invite["from"] == nil else { return nil }
            return Invitation(
                room: sender, inviter: inviter, reason: shortened(invite.child("reason")?.text),
                password: password(message.extension(user, "x")?.child("password")?.text), isMediated: true)
        }
        guard let note = message.extension(invitation, "x"), let room = note["jid"].flatMap({ JID($0) }),
            room.isBare, !room.local.isEmpty
        else { return nil }
        return Invitation(
            room: room, inviter: sender, reason: shortened(note["reason"]),
            password: password(note["password"]),
            isMediated: false)
    }

    private static func shortened(_ text: String?) -> String {
        String(String.UnicodeScalarView((text ?? "").unicodeScalars.prefix(500)))
    }

    private static func password(_ text: String?) -> String {
        (text?.utf8.count ?? 0) > 1000 ? "" : text ?? ""
    }
}
