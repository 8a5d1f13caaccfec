// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The calls among the messages.
extension ConversationList {
    func show(calls new: [HistoryEntry]) {
        guard new != calls else { return }
        calls = new
        arrange()
    }

    func showCall(_ id: Int64, in row: MessageRow) {
        guard let entry = calls.first(where: { $0.id == id }) else { return }
        row.onAction = { [weak self] row, action in self?.onAction?(row, action) }
        row.show(
            CallNote(
                entry, account: conversation?.id.account, startsDay: headings.startsDay(call: id),
                now: wall.now, stamps: stamps))
    }
}
