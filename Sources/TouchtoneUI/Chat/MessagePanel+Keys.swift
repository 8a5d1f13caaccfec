// SPDX-License-Identifier: GPL-3.0-or-later

package import GtkBridge
import TouchtoneCore

// The shortcuts of the page, and the way from one conversation to another.
extension MessagePanel {
    package func keyPressed(_ key: GdkEventKey) -> Bool {
        guard Int32(bitPattern: key.keyval) == GDK_KEY_Escape, arrangement.width == .narrow, isDetailChosen
        else { return false }
        goBack()
        return true
    }

    package func keyComes(_ key: GdkEventKey) -> Bool {
        guard let insides, !isCovered, let shortcut = MessageShortcut(key) else { return false }
        switch shortcut {
        case .next: openNeighbour(by: 1)
        case .previous: openNeighbour(by: -1)
        case .nextUnread: openNextUnread()
        case .search: search()
        case .searchAll: searchAll()
        case .encryption:
            guard messenger.selected != nil, !isSearchShown else { return false }
            showEncryption()
        case .attach, .reply, .react:
            // Without a conversation, Ctrl+R is a shortcut of the phone.
            guard messenger.selected != nil, !isSearchShown else { return false }
            insides.conversation.perform(shortcut)
        }
        return true
    }

    /// The rows among which the keys move: the conversations, or the people if there are none.
    private var neighbours: [ConversationID] {
        let buddies = messenger.buddies
        let end = buddies.firstPerson.flatMap { buddies.order.firstIndex(of: $0) } ?? buddies.order.count
        return Array(buddies.order[..<end])
    }

    /// Opens the conversation that is a number of rows below the open one; the last one is followed by the first.
    private func openNeighbour(by step: Int) {
        let all = neighbours
        guard !all.isEmpty else { return }
        let current = messenger.selected.flatMap { all.firstIndex(of: $0.id) }
        let next = current.map { ($0 + step + all.count) % all.count } ?? (step > 0 ? 0 : all.count - 1)
        open(all[next])
    }

    /// Opens the next conversation below the open one that has unread messages and is not muted.
    private func openNextUnread() {
        let all = messenger.buddies.order
        let start = messenger.selected.flatMap { all.firstIndex(of: $0.id) }.map { $0 + 1 } ?? 0
        let next = (all[start...] + all[..<start]).first { id in
            messenger.buddies.row(of: id).map { $0.unread > 0 && !$0.isMuted } ?? false
                && id != messenger.selected?.id
        }
        guard let next else { return widget.announce(localized("No unread messages.")) }
        open(next)
    }
}
