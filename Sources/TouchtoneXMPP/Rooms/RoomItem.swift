// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The description of an occupant in a presence of a room (XEP-0045 section 15.5).
struct RoomItem: Hashable {
    var role = RoomPerson.Role.participant
    var affiliation = RoomPerson.Affiliation.none
    /// The occupant's own address; nil if the room hides it.
    var jid: JID?
    /// The new nickname, in a change of nickname.
    var nickname: String?
    /// The nickname of the moderator who removed the occupant; nil if it is not known.
    var actor: String?
    var reason = ""
    /// The alternative to a room that was destroyed, with the reason; nil if the room continues.
    var destruction: Destruction?

    /// The part that lasts, without the texts of a single event: a room can send a long one with each occupant.
    var standing: RoomItem {
        var item = self
        (item.nickname, item.actor, item.reason, item.destruction) = (nil, nil, "", nil)
        return item
    }

    struct Destruction: Hashable {
        let alternative: JID?
        let reason: String
    }

    /// Reads the description in a presence; one without a description is that of a participant.
    init(in presence: Presence) {
        guard let note = presence.extensions.first(where: { $0.isNamed("x", MultiUserChat.user) }) else {
            return
        }
        if let destroy = note.child("destroy") {
            destruction = Destruction(
                alternative: destroy["jid"].flatMap { JID($0) },
                reason: PlainText.line(destroy.child("reason")?.text ?? ""))
        }
        guard let item = note.child("item") else { return }
        role = item["role"].flatMap { RoomPerson.Role(rawValue: $0) } ?? .participant
        affiliation = item["affiliation"].flatMap { RoomPerson.Affiliation(rawValue: $0) } ?? .none
        jid = item["jid"].flatMap { JID($0) }
        nickname = item["nick"]
        actor = item.child("actor")?["nick"].map { PlainText.line($0) }
        reason = PlainText.line(item.child("reason")?.text ?? "")
    }
}
