// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The settings of a room, for its owners.
@MainActor
enum RoomSettings {
    /// Opens the settings in a popover; closing it leaves the room as it is.
    static func show(_ room: ChatAddress, chat: Chat, at widget: Widget, place: GdkRectangle?) {
        let name = PlainText.line(chat.buddies.name(of: room), maximum: 60)
        RoomFormPopover.show(
            localized("Settings of {room}", ["room": name]), verb: localized("Save"), at: widget, place: place
        ) { () throws(RoomError) in
            try await chat.settings(of: room)
        } send: { (form) throws(RoomError) in
            try await chat.setSettings(form, of: room)
        }
    }
}
