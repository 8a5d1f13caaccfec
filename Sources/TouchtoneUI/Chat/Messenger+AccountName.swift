// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension Messenger {
    /// Returns the account of a conversation, to be shown with it; empty if there is only one.
    func accountName(of conversation: ConversationID) -> String {
        guard chats.count > 1, conversation.account != nil else { return "" }
        return chat(of: conversation)?.accountName ?? conversation.account?.text ?? ""
    }

    /// Returns the account of a chat, to be shown with what is done there; empty if there is only one.
    func accountName(of chat: Chat) -> String { chats.count > 1 ? chat.accountName : "" }

    /// The names of the accounts, as `accountName(of:)` returns them.
    var accountNames: [String] { chats.count > 1 ? chats.map(\.accountName) : [] }
}

extension Chat {
    /// The name that the user gave the account, or else its address; empty without an account.
    var accountName: String {
        accountLabel.isEmpty ? account?.text ?? "" : PlainText.line(accountLabel, maximum: 60)
    }
}
