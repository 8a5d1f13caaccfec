// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

// What the bench does and looks at.
extension MessagePanel {
    /// Whether all of it is there.
    package var isBuilt: Bool { insides != nil }

    /// How many rows of messages are built.
    package var shownMessages: Int { messages?.builtIDs.count ?? 0 }

    /// Whether the last message is in sight.
    package var isAtLastMessage: Bool { messages?.isAtEnd == true && chat.selected?.hasNewer == false }

    /// Moves the messages as the wheel does, by so many pixels.
    package func scrollMessages(by pixels: Double) {
        guard let adjustment = messages?.adjustment else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + pixels)
    }

    /// Goes to the end, as its key does.
    package func scrollMessagesToEnd() { insides?.conversation.goToEnd() }

    private var messages: VirtualList<ConversationList.RowID, MessageRow>? {
        insides?.conversation.messages.list
    }
}
