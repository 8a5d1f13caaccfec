// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The actions of rooms and invitations.
extension BuddiesView {
    func openMenu(
        of room: Room, _ id: ConversationID, _ row: BuddyRow, _ event: UnsafeMutablePointer<GdkEvent>?
    ) {
        guard let chat = messenger.chat(of: id) else { return }
        let box = row.box
        var items: [ContextMenu.Item?] = [
            .init(localizedIn("verb", "Open")) { [weak self] in self?.onOpen?(id) }, nil,
        ]
        if room.standing == .joined {
            items += [
                .init(localized("People…")) { [weak self] in
                    guard let self else { return }
                    RoomPeople.show(room, chat: chat, at: list.widget, place: box.area(in: list.widget)) {
                        [weak self] in
                        self?.onOpen?(ConversationID($0, of: id.account))
                    }
                },
                .init(localized("Invite…")) { [weak self] in self?.invite(to: id, at: box) },
                .init(localized("Change Topic…")) { [weak self] in
                    self?.changeTopic(of: room, id, at: box)
                },
            ]
        }
        if room.standing == .joined, room.rights.contains(.own) {
            items.append(
                .init(localized("Room Settings…")) { [weak self] in
                    guard let self else { return }
                    RoomSettings.show(id.buddy, chat: chat, at: list.widget, place: box.area(in: list.widget))
                })
        }
        let notifiesAll = room.record.notifiesAll
        items += [
            .init(
                notifiesAll ? localized("Notify Only of Mentions") : localized("Notify of All Messages")
            ) { chat.setNotifiesAll(!notifiesAll, in: id.buddy) },
            nil,
            .init(localized("Leave Room…")) { [weak self] in self?.leave(id, at: box) }, nil,
            .init(localized("Copy Address")) { Clipboard.write(id.buddy.text) },
        ]
        ContextMenu(items: items).open(at: box, event: event)
    }

    func leave(_ id: ConversationID, at row: Widget) {
        PromptPopover.ask(
            localized("Leave {room}?", ["room": name(id)]),
            text: localized("You will receive no more messages from this room. The conversation is kept."),
            verb: localizedIn("button", "Leave"), isDestructive: true, at: list.widget,
            place: row.area(in: list.widget)
        ) { [messenger] (_) throws(ChatServiceError) in
            try messenger.chat(of: id)?.leave(id.buddy)
        }
    }

    private func invite(to id: ConversationID, at row: Widget) {
        PromptPopover.ask(
            localized("Invite to {room}", ["room": name(id)]),
            fields: [
                .init(name: localized("Address"), hint: "grace@example.org"),
                .init(name: localized("Reason"), hint: localized("Optional")),
            ],
            verb: localizedIn("button", "Invite"), at: list.widget, place: row.area(in: list.widget)
        ) { [messenger] (texts) throws(ChatServiceError) in
            try messenger.chat(of: id)?.invite(texts[0], to: id.buddy, reason: texts[1])
        }
    }

    private func changeTopic(of room: Room, _ id: ConversationID, at row: Widget) {
        PromptPopover.ask(
            localized("Topic of {room}", ["room": name(id)]),
            fields: [.init(name: localized("Topic"), text: room.topic)],
            verb: localizedIn("button", "Set"), at: list.widget, place: row.area(in: list.widget)
        ) { [messenger] (texts) throws(ChatServiceError) in
            try messenger.chat(of: id)?.setTopic(texts[0], of: id.buddy)
        }
    }

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
