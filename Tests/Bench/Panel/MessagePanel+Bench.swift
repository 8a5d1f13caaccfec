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
    var isAtLastMessage: Bool { messages?.isAtEnd == true && chat.selected?.hasNewer == false }

    /// Scrolls the messages by a number of pixels, as the mouse wheel does.
    func scrollMessages(by pixels: Double) {
        guard let adjustment = messages?.adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }

    /// Scrolls to the last message, as the button does.
    func scrollMessagesToEnd() { insides?.conversation.goToEnd() }

    private var messages: VirtualList<ConversationList.RowID, MessageRow>? {
        insides?.conversation.messages.list
    }
}
