// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Whose conversations are meant.
//
// What belongs to an account is kept under the account's address, a line feed and its own name; no address has a line
// feed. What belongs to nobody, as the exchange's conversation does, is kept under its name alone. So were all
// conversations before there were accounts in the file: a column besides could not be part of the key, since SQLite makes a
// table anew for that, and all messages refer to this one.
extension StoreDatabase {
    /// The prefix of the keys of the current account.
    var prefix: String { account.map { $0.text + "\n" } ?? "" }

    /// Under what a conversation, a draft or a buddy is kept.
    func key(_ buddy: ChatAddress) -> SQLValue {
        .text(buddy == .operatorAddress ? buddy.text : prefix + buddy.text)
    }

    /// Gives what was kept while there was no account to the one that is set.
    func adopt() throws(StoreError) {
        let prefix = SQLValue.text(self.prefix)
        guard account != nil else { return }
        // With some of those it has talked itself.
        for (old, new) in try rows(MessageStatement.common, [prefix], { ($0.integer(0), $0.integer(1)) }) {
            let (from, to) = (SQLValue.integer(old), SQLValue.integer(new))
            let distance = try rows(MessageStatement.distance, [from, to]) { $0.integer(0) }.first ?? 0
            try run(MessageStatement.moveMessages, [from, to, .integer(distance)])
            try run(MessageStatement.moveCorrections, [from, to])
            for conversation in [from, to] { try run(MessageStatement.countUnread, [conversation]) }
        }
        for query in [
            MessageStatement.adoptConversations, .adoptDrafts, .adoptBuddies, .adoptMarks,
        ] { try run(query, [prefix]) }
    }
}

extension ConversationID {
    /// Reads the key that a conversation, a draft or a buddy is kept under.
    init(key: String) {
        guard let end = key.utf8.firstIndex(of: UInt8(ascii: "\n")) else {
            self.init(ChatAddress(key))
            return
        }
        self.init(
            ChatAddress(String(key[key.utf8.index(after: end)...])), of: ChatAddress(String(key[..<end])))
    }
}
