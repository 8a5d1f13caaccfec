// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The answers to requests and invitations.
extension BuddiesView {
    func answer(_ received: AllBuddies.Received<RoomInvitation>, accept: Bool) {
        let (chat, invitation) = (received.chat, received.item)
        guard accept else { return chat.decline(invitation) }
        sendAnswer {
            do throws(RoomError) {
                try await chat.join(invitation.room.text, password: invitation.password)
                return nil
            } catch {
                return PlainText.line(error.text, maximum: 400)
            }
        }
    }
}
