// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// The calls with the other side, which stand among the messages.
extension ConversationView {
    func watchCalls() {
        calls.onChange = { [weak self] in
            guard let self, !isCovered else { return }
            messages.show(calls: calls.entries)
            showEmpty()
        }
    }

    /// Shows the calls, as far back as the messages go.
    func showCalls(of conversation: Conversation) {
        calls.open(
            conversation.id, with: remote(of: conversation),
            since: conversation.hasOlder ? conversation.window.first?.time : nil)
        messages.show(calls: calls.entries)
    }

    /// Returns the party that Call calls; nil for a room, for somebody in one, and for the Operator.
    private func remote(of conversation: Conversation) -> RemoteParty? {
        guard let buddy = conversation.chat.buddies.row(of: conversation.buddy), buddy.room == nil,
            !buddy.isOperator, !conversation.buddy.isOccupant
        else { return nil }
        return buddy.person.number.map { RemoteParty($0) } ?? RemoteParty(conversation.buddy)
    }

    /// Calls the far end of a call again, as its key and its menu do.
    func callBack(_ row: MessageRow) {
        if let callee = row.call?.callee { navigator?.call(callee) }
    }

    func act(onCallOf row: MessageRow, _ action: MessageRow.Action) {
        if case .callText = action { showText(of: row) } else { callBack(row) }
    }

    private func showText(of row: MessageRow) {
        guard let id = row.call?.text, let history = calls.history, let conversation else { return }
        KeptTextPopover.show(textOf: id, in: history, name: name(of: conversation), at: row.box)
    }

    func openMenu(of call: CallNote, in row: MessageRow, _ event: UnsafeMutablePointer<GdkEvent>?) {
        var items: [ContextMenu.Item?] = []
        if let callee = call.callee {
            items.append(
                .init(localizedIn("verb", "Call")) { [weak navigator] in navigator?.call(callee) })
        }
        if call.text != nil {
            items.append(.init(localized("Show Text")) { [weak self] in self?.showText(of: row) })
        }
        ContextMenu(items: items).open(at: row.box, event: event)
    }
}
