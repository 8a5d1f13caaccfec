// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the people in a room, as they were when it was opened, and the actions on them.
@MainActor
final class RoomPeople {
    /// Called when the user opens a private conversation, or mentions somebody in that of the room.
    var onOpen: (@MainActor (ChatAddress) -> Void)?
    private let chat: Chat
    private let room: Room
    private let popover: TransientPopover
    private let parent: Widget
    /// The list, whose rows are identified by their place in `entries`.
    let list: VirtualList<Int, NamedRow>
    private var entries: [Entry] = []
    private var order: PeopleOrder
    private var hasBegun = false

    private enum Entry {
        case person(RoomPerson)
        case absentTitle
    }

    private init(_ room: Room, chat: Chat, at widget: Widget) {
        (self.chat, self.room, parent) = (chat, room, widget)
        order = chat.people(in: room.address)
        popover = TransientPopover(at: widget)
        list = VirtualList(name: localized("People"), guess: 30) { NamedRow() }
        let name = PlainText.line(chat.buddies.name(of: room.address), maximum: 60)
        let column = popover.makeColumn(localized("People in {room}", ["room": name]))
        gtk_widget_set_size_request(list.widget, -1, 300)
        column.add(list.widget, grows: true)
        gtk_widget_show_all(column)
        list.show = { [weak self] row, id in
            switch self?.entries[id] {
            case .person(let person): row.show(person.nickname, person.roleText, tip: person.address?.text)
            case .absentTitle: row.show(title: localized("Not Here"))
            case nil: break
            }
        }
        Signal.connectNotify(list.widget, "size-allocate") { [weak self] in self?.begin() }
        list.onMenu = { [weak self] id, row, event in self?.openMenu(of: id, row, event) }
        list.onActivate = { [weak self] id, _ in
            guard let self, let row = list.row(id) else { return }
            openMenu(of: id, row, nil)
        }
    }

    /// Begins to sort once the list has its size, which the first row needs to take the focus.
    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        MainLoop.afterFrame { [weak self] in self?.sort() }
    }

    /// Sorts the people and shows them; frames are drawn meanwhile.
    private func sort() {
        guard order.advance(), let all = order.people else {
            return MainLoop.afterFrame { [weak self] in self?.sort() }
        }
        entries = all.map { .person($0) }
        list.set(Array(entries.indices))
        if !entries.isEmpty { list.focusRow(0) }
        Task { [weak self, chat, room] in
            // The people in the room can be shown even if the list of the others does not come.
            guard let absent = try? await chat.absentees(of: room.address), !absent.isEmpty else { return }
            self?.add(absent)
        }
    }

    private func add(_ absent: [RoomPerson]) {
        guard popover.isOpen else { return }
        entries += [.absentTitle] + absent.map { .person($0) }
        list.set(Array(entries.indices))
    }

    /// Opens the popover, and closes any other one.
    @discardableResult
    static func show(
        _ room: Room, chat: Chat, at widget: Widget, place: GdkRectangle?,
        onOpen: @escaping @MainActor (ChatAddress) -> Void
    ) -> RoomPeople {
        let people = RoomPeople(room, chat: chat, at: widget)
        people.onOpen = onOpen
        people.popover.open(with: people, place: place)
        return people
    }

    private func openMenu(of id: Int, _ row: NamedRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        guard case .person(let person) = entries[id], !person.isMe else { return }
        let groups: [[ContextMenu.Item?]] = [
            messageItems(for: person), changeItems(for: person), removalItems(for: person),
        ]
        let items = groups.filter { !$0.isEmpty }.joined(separator: [nil])
        ContextMenu(items: Array(items)).open(at: row.box, event: event)
    }

    private func messageItems(for person: RoomPerson) -> [ContextMenu.Item] {
        guard !person.isAbsent else { return [] }
        return [
            .init(localized("Private Message")) { [weak self] in
                guard let self else { return }
                popover.close()
                onOpen?(ChatAddress("\(room.address.text)/\(person.nickname)"))
            },
            .init(localizedIn("verb", "Mention")) { [weak self] in
                guard let self else { return }
                popover.close()
                chat.mention(person.nickname, in: room.address)
                onOpen?(room.address)
            },
        ]
    }

    private func changeItems(for person: RoomPerson) -> [ContextMenu.Item] {
        room.rights.changes(of: person).map { change in
            ContextMenu.Item(change.verb(for: person)) { [weak self] in self?.apply(change, to: person) }
        }
    }

    private func removalItems(for person: RoomPerson) -> [ContextMenu.Item] {
        var items: [ContextMenu.Item] = []
        if !person.isAbsent, room.rights.prevail(over: person) {
            items.append(
                .init(localized("Remove from Room…")) { [weak self] in self?.ask(person, isBanned: false) })
        }
        if room.rights.mayBan(person) {
            items.append(
                .init(localized("Ban from Room…")) { [weak self] in self?.ask(person, isBanned: true) })
        }
        return items
    }

    /// Changes a role at once, which lasts for a visit, and asks before it changes an affiliation.
    private func apply(_ change: RoomChange, to person: RoomPerson) {
        let (chat, room, parent) = (chat, room.address, parent)
        let (name, verb) = (PlainText.line(person.nickname, maximum: 60), change.verb(for: person))
        let ask: @MainActor (String) -> Void = { text in
            PromptPopover.ask(name, text: text, verb: verb, at: parent) { (_) throws(ChatServiceError) in
                do throws(RoomError) {
                    try await chat.change(person, to: change, in: room)
                } catch {
                    throw .refused(error.text)
                }
            }
        }
        popover.close()
        guard case .role = change else { return ask(change.effect) }
        Task {
            do throws(RoomError) {
                try await chat.change(person, to: change, in: room)
            } catch {
                // The refusal is shown with a way to try again, unless the phone was locked meanwhile.
                if gtk_widget_get_mapped(parent) != 0 { ask(PlainText.line(error.text, maximum: 400)) }
            }
        }
    }

    private func ask(_ person: RoomPerson, isBanned: Bool) {
        let name = PlainText.line(person.nickname, maximum: 60)
        let (chat, room, parent) = (chat, room.address, parent)
        popover.close()
        PromptPopover.ask(
            isBanned ? localized("Ban {name}?", ["name": name]) : localized("Remove {name}?", ["name": name]),
            text: isBanned
                ? localized("This person can’t return to the room.")
                : localized("This person can return to the room."),
            fields: [.init(name: localized("Reason"), hint: localized("Optional"))],
            verb: isBanned ? localizedIn("button", "Ban") : localized("Remove"), isDestructive: true,
            at: parent
        ) { (texts) throws(ChatServiceError) in
            do throws(RoomError) {
                try await chat.remove(person, from: room, isBanned: isBanned, reason: texts[0])
            } catch {
                throw .refused(error.text)
            }
        }
    }
}

extension RoomChange {
    /// The name of the change in the menu of a person.
    fileprivate func verb(for person: RoomPerson) -> String {
        switch self {
        case .role(.visitor): localized("Let Only Listen")
        case .role(.participant):
            person.role == .visitor ? localized("Let Speak") : localized("Remove as Moderator")
        case .role(.moderator): localized("Make Moderator")
        case .affiliation(.none):
            person.affiliation == .outcast ? localized("Lift Ban") : localized("Remove as Member")
        case .affiliation(.member):
            person.affiliation == .none ? localized("Make Member") : localized("Remove as Administrator")
        case .affiliation(.admin):
            person.affiliation == .owner ? localized("Remove as Owner") : localized("Make Administrator")
        case .affiliation(.owner): localized("Make Owner")
        case .affiliation(.outcast): localizedIn("button", "Ban")
        }
    }

    /// The effect, as a sentence for the user; empty for a role.
    fileprivate var effect: String {
        switch self {
        case .role: ""
        case .affiliation(.none): localized("This person can then enter only if everybody may.")
        case .affiliation(.member): localized("Members may enter even if the room is for members only.")
        case .affiliation(.admin):
            localized("Administrators can remove and ban people, and choose members and moderators.")
        case .affiliation(.owner):
            localized("Owners can do everything in the room, also change its settings and its owners.")
        case .affiliation(.outcast): localized("This person can’t return to the room.")
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
        case (.none, nil): ""
        case (.outcast, _): localizedIn("in a room", "banned")
        }
    }
}
