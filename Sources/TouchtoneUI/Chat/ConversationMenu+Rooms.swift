// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

extension ConversationMenu {
    func roomItems(of room: Room) -> [ContextMenu.Item?] {
        guard let chat else { return [] }
        var items: [ContextMenu.Item?] = []
        if room.standing == .joined {
            items += [
                .init(localized("People…")) {
                    RoomPeople.show(room, chat: chat, at: widget, place: place) {
                        open(ConversationID($0, of: id.account))
                    }
                },
                .init(localized("Invite…")) { invite() },
                .init(localized("Change Topic…")) { changeTopic(of: room) },
            ]
        }
        if room.standing == .joined, room.rights.contains(.own) {
            items.append(
                .init(localized("Room Settings…")) {
                    RoomSettings.show(id.buddy, chat: chat, at: widget, place: place)
                })
        }
        let notifiesAll = room.record.notifiesAll
        items += [
            .init(
                notifiesAll ? localized("Notify Only of Mentions") : localized("Notify of All Messages")
            ) { chat.setNotifiesAll(!notifiesAll, in: id.buddy) },
            nil, .init(localized("Leave Room…")) { leave() },
        ]
        return items
    }

    func leave() {
        PromptPopover.ask(
            localized("Leave {room}?", ["room": name]),
            text: localized("You will receive no more messages from this room. The conversation is kept."),
            verb: localizedIn("button", "Leave"), isDestructive: true, at: widget, place: place
        ) { (_) throws(ChatServiceError) in try chat?.leave(id.buddy) }
    }

    private func invite() {
        PromptPopover.ask(
            localized("Invite to {room}", ["room": name]),
            fields: [
                .init(name: localized("Address"), hint: "grace@example.org"),
                .init(name: localized("Reason"), hint: localized("Optional")),
            ],
            verb: localizedIn("button", "Invite"), at: widget, place: place
        ) { (texts) throws(ChatServiceError) in
            try chat?.invite(texts[0], to: id.buddy, reason: texts[1])
        }
    }

    private func changeTopic(of room: Room) {
        PromptPopover.ask(
            localized("Topic of {room}", ["room": name]),
            fields: [.init(name: localized("Topic"), text: room.topic)],
            verb: localizedIn("button", "Set"), at: widget, place: place
        ) { (texts) throws(ChatServiceError) in try chat?.setTopic(texts[0], of: id.buddy) }
    }
}
