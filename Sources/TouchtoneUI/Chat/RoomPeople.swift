// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the people in a room, as they were when it was opened, and the actions on them.
@MainActor
final class RoomPeople {
    /// Called when the user opens a private conversation.
    var onOpen: (@MainActor (ChatAddress) -> Void)?
    private let chat: Chat
    private let room: Room
    private let popover: TransientPopover
    private let parent: Widget
    let list: VirtualList<String, NamedRow>
    private var people: [String: RoomPerson] = [:]
    private var order: PeopleOrder

    private init(_ room: Room, chat: Chat, at widget: Widget) {
        (self.chat, self.room, parent) = (chat, room, widget)
        order = chat.people(in: room.address)
        popover = TransientPopover(at: widget)
        list = VirtualList(name: localized("People"), guess: 30) { NamedRow() }
        let name = PlainText.line(chat.buddies.name(of: room.address), maximum: 60)
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 8, style: "ask")
        column.add(Widget.label(localized("People in {room}", ["room": name]), style: "ask-title"))
        gtk_widget_set_size_request(list.widget, 260, 300)
        column.add(list.widget, grows: true)
        gtk_container_add(popover.widget.cast(), column)
        gtk_widget_show_all(column)
        cgtk_widget_set_accessible(popover.widget, localized("People in {room}", ["room": name]), nil)
        list.show = { [weak self] row, id in
            guard let person = self?.people[id] else { return }
            row.show(person.nickname, person.roleText, tip: person.address?.text)
        }
        list.onMenu = { [weak self] id, row, event in self?.openMenu(of: id, row, event) }
        list.onActivate = { [weak self] id, _ in
            guard let self, let row = list.row(id) else { return }
            openMenu(of: id, row, nil)
        }
    }

    /// Sorts the people and shows them; frames are drawn meanwhile.
    private func sort() {
        guard order.advance(), let all = order.people else {
            return MainLoop.afterFrame { [weak self] in self?.sort() }
        }
        people = Dictionary(all.map { ($0.nickname, $0) }) { first, _ in first }
        list.set(all.map(\.nickname))
        if let first = list.ids.first { list.focusRow(first) }
    }

    /// Opens the popover, and closes any other one.
    ///
    /// - Parameters:
    ///   - place: The area of the widget that the popover points at.
    ///   - onOpen: Called when the user opens a private conversation.
    @discardableResult
    static func show(
        _ room: Room, chat: Chat, at widget: Widget, place: GdkRectangle,
        onOpen: @escaping @MainActor (ChatAddress) -> Void
    ) -> RoomPeople {
        let people = RoomPeople(room, chat: chat, at: widget)
        people.onOpen = onOpen
        people.popover.open(with: people, place: place)
        // The first row takes the focus, for which the list needs its size.
        MainLoop.afterFrame { [weak people] in people?.sort() }
        return people
    }

    private func openMenu(of nickname: String, _ row: NamedRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        guard let person = people[nickname], !person.isMe else { return }
        var items: [ContextMenu.Item?] = [
            ContextMenu.Item(localized("Private Message")) { [weak self] in
                guard let self else { return }
                popover.close()
                onOpen?(ChatAddress("\(room.address.text)/\(nickname)"))
            }
        ]
        if room.rights.contains(.kick), person.role == .visitor {
            items.append(
                ContextMenu.Item(localized("Let Speak")) { [weak self] in self?.grantVoice(to: nickname) })
        }
        if room.rights.contains(.kick) {
            items += [
                nil,
                ContextMenu.Item(localized("Remove from Room…")) { [weak self] in
                    self?.ask(nickname, isBanned: false)
                },
            ]
        }
        if room.rights.contains(.ban), person.address != nil {
            items.append(
                ContextMenu.Item(localized("Ban from Room…")) { [weak self] in
                    self?.ask(nickname, isBanned: true)
                })
        }
        ContextMenu(items: items).open(at: row.box, event: event)
    }

    private func grantVoice(to nickname: String) {
        let (chat, room) = (chat, room.address)
        popover.close()
        Task {
            // If the room refuses, the person remains a visitor, as the list shows.
            try? await chat.grantVoice(to: nickname, in: room)
        }
    }

    private func ask(_ nickname: String, isBanned: Bool) {
        let name = PlainText.line(nickname, maximum: 60)
        let (chat, room, parent) = (chat, room.address, parent)
        popover.close()
        PromptPopover.ask(
            isBanned ? localized("Ban {name}?", ["name": name]) : localized("Remove {name}?", ["name": name]),
            text: isBanned
                ? localized("This person can’t return to the room.")
                : localized("This person can return to the room."),
            verb: isBanned ? localizedIn("button", "Ban") : localized("Remove"), isDestructive: true,
            at: parent
        ) { (_) throws(ChatServiceError) in
            do throws(RoomError) {
                try await chat.remove(nickname, from: room, isBanned: isBanned)
            } catch {
                throw .refused(error.text)
            }
        }
    }
}

extension RoomPerson {
    /// The role, or the affiliation if that says more.
    fileprivate var roleText: String {
        if isMe { return localizedIn("in a room", "you") }
        return switch (affiliation, role) {
        case (.owner, _): localizedIn("in a room", "owner")
        case (.admin, _): localizedIn("in a room", "administrator")
        case (_, .moderator): localizedIn("in a room", "moderator")
        case (.member, _): localizedIn("in a room", "member")
        case (.none, .participant): localizedIn("in a room", "guest")
        case (.none, .visitor): localizedIn("in a room", "listener")
        }
    }
}
