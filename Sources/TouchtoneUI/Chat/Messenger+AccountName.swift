// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension Messenger {
    /// Returns the account of a conversation, to be shown with it; empty if there is only one.
    func accountName(of conversation: ConversationID) -> String {
        chats.count > 1 ? conversation.account?.text ?? "" : ""
    }
}
