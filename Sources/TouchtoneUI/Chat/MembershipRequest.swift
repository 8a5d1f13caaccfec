// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The request to become a member of a room that only members may enter.
@MainActor
enum MembershipRequest {
    /// Opens the room's form, and enters the room if it grants the request at once; `nickname` may be empty.
    static func ask(_ room: String, as nickname: String, chat: Chat, at widget: Widget) {
        let name = PlainText.line(room, maximum: 60)
        RoomFormPopover.show(
            localized("Ask to Join {room}", ["room": name]), verb: localized("Ask to Join"), at: widget
        ) { () throws(RoomError) in
            try await chat.registration(in: room, as: nickname)
        } send: { (form) throws(RoomError) in
            try await chat.register(form, in: room)
            do throws(RoomError) {
                try await chat.join(room, as: nickname)
            } catch {
                guard error == .membersOnly else { throw error }
                throw .refused(localized("Your request was sent. Join again when it has been accepted."))
            }
        }
    }
}
