// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The account that data belongs to.
//
// Data of an account is stored under the account's address, a line feed and its own name; no address contains a line
// feed. Data without an account, such as the Operator's conversation, is stored under its name alone. So were all
// conversations before the file had accounts: a separate column could not be part of the key, because SQLite would have
// to recreate a table that all messages refer to.
extension StoreDatabase {
    /// The prefix of the current account's keys.
    var prefix: String { account.map { $0.text + "\n" } ?? "" }

    /// Returns the key under which a conversation, a draft or a buddy is stored.
    func key(_ buddy: ChatAddress) -> SQLValue {
        .text(buddy == .operatorAddress ? buddy.text : prefix + buddy.text)
    }

    /// Assigns the data that was stored without an account to the current account.
    func adopt() throws(StoreError) {
        let prefix = SQLValue.text(self.prefix)
        guard account != nil else { return }
        // Merge the conversations that the account has as well.
        for (old, new) in try rows(MessageStatement.common, [prefix], { ($0.integer(0), $0.integer(1)) }) {
            let (from, to) = (SQLValue.integer(old), SQLValue.integer(new))
            let distance = try integers(MessageStatement.distance, [from, to]).first ?? 0
            try run(MessageStatement.moveMessages, [from, to, .integer(distance)])
            try run(MessageStatement.moveCorrections, [from, to])
            for conversation in [from, to] { try run(MessageStatement.countUnread, [conversation]) }
        }
        for query in [
            MessageStatement.adoptConversations, .adoptDrafts, .adoptBuddies, .adoptMarks, .adoptUnresolved,
        ] { try run(query, [prefix]) }
    }
}

extension ConversationID {
    /// Creates an identifier from the key of a conversation, a draft or a buddy.
    init(key: String) {
        guard let end = key.utf8.firstIndex(of: UInt8(ascii: "\n")) else {
            self.init(ChatAddress(key))
            return
        }
        self.init(
            ChatAddress(String(key[key.utf8.index(after: end)...])), of: ChatAddress(String(key[..<end])))
    }
}
