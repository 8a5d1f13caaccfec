// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A popover with the public rooms of the account's server.
@MainActor
final class PublicRooms {
    private let popover: TransientPopover
    private let list = VirtualList<ChatAddress, NamedRow>(name: localized("Public Rooms"), guess: 30) {
        NamedRow()
    }
    private let status = Widget.wrappedLabel(localized("Loading…"))
    private var rooms: [ChatAddress: PublicRoom] = [:]

    private init(at widget: Widget, choose: @escaping @MainActor (ChatAddress) -> Void) {
        popover = TransientPopover(at: widget)
        let column = popover.makeColumn(localized("Public Rooms"))
        column.add(status)
        gtk_widget_set_size_request(list.widget, -1, 300)
        column.add(list.widget, grows: true)
        gtk_widget_show_all(column)
        list.show = { [weak self] row, id in
            if let room = self?.rooms[id] { row.show(room.name, id.text, tip: id.text) }
        }
        list.onActivate = { id, _ in
            TransientPopover.cancel()
            choose(id)
        }
    }

    /// Opens the popover, and requests the rooms; `choose` gets the one that the user chooses.
    static func show(chat: Chat, at widget: Widget, choose: @escaping @MainActor (ChatAddress) -> Void) {
        let rooms = PublicRooms(at: widget, choose: choose)
        rooms.popover.open(with: rooms)
        Task { await rooms.load(from: chat) }
    }

    private func load(from chat: Chat) async {
        do throws(RoomError) {
            let all = try await chat.publicRooms()
            guard popover.isOpen else { return }
            rooms = Dictionary(all.map { ($0.address, $0) }) { first, _ in first }
            status.text = localized("Your server lists no rooms.")
            status.isVisible = all.isEmpty
            list.set(all.map(\.address))
            list.focusFirst()
        } catch {
            guard popover.isOpen else { return }
            status.text = PlainText.line(error.text, maximum: 400)
        }
    }
}
