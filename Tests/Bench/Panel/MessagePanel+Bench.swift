// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

@testable import TouchtoneUI

// Hooks for the bench.
extension MessagePanel {
    /// Whether the whole panel has been built.
    var isBuilt: Bool { insides != nil }

    /// The number of message rows that exist.
    var shownMessages: Int { messages?.builtIDs.count ?? 0 }

    /// Whether the last message is visible.
    var isAtLastMessage: Bool { messages?.isAtEnd == true && messenger.selected?.hasNewer == false }

    /// Scrolls the messages by a number of pixels, as the mouse wheel does.
    func scrollMessages(by pixels: Double) {
        guard let adjustment = messages?.adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }

    /// Scrolls to the last message, as the button does.
    func scrollMessagesToEnd() { insides?.conversation.goToEnd() }

    /// Scrolls the list of buddies and rooms by a number of pixels.
    func scrollBuddies(by pixels: Double) {
        guard let adjustment = insides?.buddies.list.adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }

    /// Opens the list of the people in a room.
    func showPeople(of room: Room) -> RoomPeople? {
        guard let list = insides?.buddies.list.widget else { return nil }
        return RoomPeople.show(room, chat: messenger.first, at: list, place: GdkRectangle()) { _ in }
    }

    /// Closes that list.
    func hidePeople() { TransientPopover.cancel() }

    /// Searches all conversations, shortly after the last key.
    func search(for words: String) { searchAll(words) }

    /// The messages that the search has found.
    var foundMessages: [Int64] {
        guard let insides, insides.buddies.showsResults else { return [] }
        return insides.buddies.results.list.ids.compactMap {
            if case .message(let id) = $0 { id } else { nil }
        }
    }

    private var messages: VirtualList<ConversationList.RowID, MessageRow>? {
        insides?.conversation.messages.list
    }
}

extension RoomPeople {
    /// The number of rows that exist.
    var shownPeople: Int { list.builtIDs.count }
}
