// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// How far the user has read a conversation, as the account's devices tell each other (XEP-0490).
struct DisplayedMark: Hashable, Sendable {
    /// The address of a person, a room, or an occupant of a room.
    let conversation: JID
    /// The archive that has assigned the ID: that of the account or the room.
    let archive: JID
    /// The ID of the last message that was displayed.
    let id: String

    init(_ id: String, in archive: JID, of conversation: JID) {
        (self.id, self.archive, self.conversation) = (id, archive, conversation)
    }

    /// Returns nil if an item is not a mark, has more than one, or one in the archive of somebody else.
    ///
    /// - Parameter own: The bare address of the user's account.
    init?(_ item: PubSub.Item, own: JID) {
        guard let payload = item.payload, payload.isNamed("displayed", PubSub.displayed),
            let conversation = JID(item.id)
        else { return nil }
        let ids = payload.children("stanza-id", StableIDs.namespace)
        guard ids.count == 1, let id = ids[0]["id"].flatMap(MessageReader.bounded),
            let archive = ids[0]["by"].flatMap({ JID($0) }), archive == own || archive == conversation,
            archive.isBare
        else { return nil }
        self.init(id, in: archive, of: conversation)
    }

    var buddy: ChatAddress { ChatAddress(full: conversation) }

    var payload: XMLElement {
        XMLElement(
            "displayed", PubSub.displayed, [:],
            [
                XMLElement(
                    "stanza-id", StableIDs.namespace, ["by": archive.description, "id": id])
            ])
    }
}
