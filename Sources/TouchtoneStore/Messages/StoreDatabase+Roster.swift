// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// The roster, drafts and marks.
extension StoreDatabase {
    func summary() throws(StoreError) -> ChatSummary {
        var summary = ChatSummary(buddies: try buddies(), version: try mark(prefix + "buddies"))
        summary.conversations = try byBuddy(.settings) {
            ConversationSummary(settings: ConversationSettings(rawValue: Int($0.integer(1))))
        }
        for message in try messages(.last, [.text(prefix)]) {
            summary.conversations[message.buddy, default: ConversationSummary()].last = MessagePreview(
                message)
        }
        summary.unread = try byBuddy(.unreadCounts) { Int($0.integer(1)) }
        summary.drafts = try byBuddy(.drafts) { $0.text(1) }
        summary.rooms = try rooms()
        return summary
    }

    /// Returns the values of a query whose first column is the key of a conversation; nil leaves one out.
    private func byBuddy<Value>(
        _ query: MessageStatement, _ value: (Statement.Row) -> Value?
    ) throws(StoreError) -> [ChatAddress: Value] {
        var values: [ChatAddress: Value] = [:]
        let all = try rows(query, [.text(prefix)]) { (ConversationID(key: $0.text(0)).buddy, value($0)) }
        for (buddy, value) in all { values[buddy] = value }
        return values
    }

    /// Replaces the list of buddies; only changed entries are written, since a list may have thousands.
    func saveBuddies(_ new: [BuddyRecord], version: String?) throws(StoreError) {
        var old: [ChatAddress: BuddyRecord] = [:]
        for buddy in try buddies() { old[buddy.address] = buddy }
        for buddy in new where old.removeValue(forKey: buddy.address) != buddy {
            try run(
                MessageStatement.setBuddy,
                [
                    key(buddy.address), .text(buddy.name), SQLValue(buddy.tellsMe),
                    SQLValue(buddy.toldByMe), SQLValue(buddy.isAsked), SQLValue(buddy.isDeclined),
                ])
        }
        for gone in old.keys { try run(MessageStatement.removeBuddy, [key(gone)]) }
        try setMark(prefix + "buddies", version)
    }

    func saveDraft(_ text: String, for buddy: ChatAddress) throws(StoreError) {
        if text.isEmpty {
            try run(MessageStatement.removeDraft, [key(buddy)])
        } else {
            try run(MessageStatement.setDraft, [key(buddy), .text(text)])
        }
    }

    func changeSettings(
        adding new: ConversationSettings, removing old: ConversationSettings, of buddy: ChatAddress
    ) throws(StoreError) {
        try run(
            MessageStatement.changeSettings,
            [key(buddy), SQLValue(new.rawValue), SQLValue(old.rawValue)])
    }

    func mark(_ kind: String) throws(StoreError) -> String? {
        try rows(MessageStatement.mark, [.text(kind)]) { $0.text(0) }.first
    }

    func setMark(_ kind: String, _ value: String?) throws(StoreError) {
        if let value {
            try run(MessageStatement.setMark, [.text(kind), .text(value)])
        } else {
            try run(MessageStatement.removeMark, [.text(kind)])
        }
    }

    private func buddies() throws(StoreError) -> [BuddyRecord] {
        try rows(MessageStatement.buddies, [.text(prefix)]) {
            BuddyRecord(
                ConversationID(key: $0.text(0)).buddy, name: $0.text(1), tellsMe: $0.bool(2),
                toldByMe: $0.bool(3),
                isAsked: $0.bool(4), isDeclined: $0.bool(5))
        }
    }
}
