// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The user’s reactions to messages, and messages that the user deletes.
extension ConversationView {
    /// The items of a message’s menu.
    func annotationItems(of message: ChatMessage, at row: Widget) -> [ContextMenu.Item?] {
        guard let chat, chat.canReact(to: message) else { return [] }
        return [
            ContextMenu.Item(localizedIn("verb", "React…")) { [weak self] in self?.react(to: message, at: row)
            }
        ]
    }

    /// The items that delete a message.
    func deletionItems(of message: ChatMessage, at row: Widget) -> [ContextMenu.Item?] {
        guard let chat else { return [] }
        var items: [ContextMenu.Item?] = []
        if chat.canRetract(message) {
            items.append(
                .init(localized("Delete for Everyone…")) { [weak self] in self?.delete(message, at: row) })
        } else if chat.canModerate(message) {
            items.append(
                .init(localized("Delete for Everyone…")) { [weak self] in self?.moderate(message, at: row) })
        }
        if chat.canDeleteHere(message) {
            items.append(
                .init(localized("Delete Here…")) { [weak self] in self?.deleteHere(message, at: row) })
        }
        return items
    }

    func react(to message: ChatMessage, at row: Widget) {
        let list = messages.list.widget
        let mine = message.reactions.first { $0.sender == .me }?.emoji ?? []
        ReactionPopover.show(mine: mine, at: list, place: row.area(in: list)) { [weak self] in
            self?.chat?.toggle($0, on: message)
        }
    }

    func delete(_ message: ChatMessage, at row: Widget) {
        let list = messages.list.widget
        PromptPopover.ask(
            localized("Delete this message for everyone?"),
            text: localized("Apps that do not know this still show it, and somebody may have read it."),
            verb: localized("Delete for Everyone"), isDestructive: true, at: list, place: row.area(in: list)
        ) { [weak self] (_) throws(ChatServiceError) in self?.chat?.retract(message) }
    }

    /// Asks whether to delete a message of somebody else in a room, and for the reason.
    private func moderate(_ message: ChatMessage, at row: Widget) {
        let list = messages.list.widget
        PromptPopover.ask(
            localized("Delete this message for everyone?"),
            text: localized("The room tells everybody that a moderator deleted it, and why."),
            fields: [.init(name: localized("Reason"), hint: localized("Optional"))],
            verb: localized("Delete for Everyone"), isDestructive: true, at: list, place: row.area(in: list)
        ) { [weak self] (texts) throws(ChatServiceError) in
            do throws(RoomError) {
                try await self?.chat?.moderate(message, reason: texts[0])
            } catch {
                throw .refused(error.text)
            }
        }
    }

    private func deleteHere(_ message: ChatMessage, at row: Widget) {
        let list = messages.list.widget
        PromptPopover.ask(
            localized("Delete this message here?"),
            text: localized(
                "It is removed from this computer alone. Your other devices and the others keep it."),
            verb: localized("Delete Here"), isDestructive: true, at: list, place: row.area(in: list)
        ) { [weak self] (_) throws(ChatServiceError) in self?.chat?.deleteHere(message) }
    }
}
