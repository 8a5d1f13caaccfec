// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// What is asked of the user, in words: strangers choose the addresses, and the texts are shown elsewhere.

@MainActor
extension AllBuddies.Received where Item == BuddyList.Request {
    var id: ConversationID { ConversationID(item.id, of: chat.account) }
    var name: String { PlainText.line(item.id.text, maximum: 80) }
    var sentence: String { localized("{address} wants to see when you are online", ["address": name]) }
}

@MainActor
extension AllBuddies.Received where Item == RoomInvitation {
    var id: ConversationID { ConversationID(item.room, of: chat.account) }
    var name: String { PlainText.line(item.room.text, maximum: 80) }
    var sentence: String {
        item.inviter.map { inviter in
            let name = inviter.isOccupant ? chat.buddies.name(of: inviter) : nil
            return localized(
                "{address} invites you to the room {room}",
                ["address": PlainText.line(name ?? inviter.text, maximum: 80), "room": self.name])
        } ?? localized("You are invited to the room {room}", ["room": name])
    }
}
