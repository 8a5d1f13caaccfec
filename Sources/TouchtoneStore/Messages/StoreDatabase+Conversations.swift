// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

// Queries for the display of conversations.
extension StoreDatabase {
    func messages(of buddy: ChatAddress, before place: Int64?, count: Int) throws(StoreError) -> [ChatMessage]
    {
        let values: [SQLValue] = [key(buddy), .integer(place ?? .max), SQLValue(max(0, count))]
        return try messages(.before, values).reversed()
    }

    func messages(of buddy: ChatAddress, from place: Int64, count: Int) throws(StoreError) -> [ChatMessage] {
        try messages(.from, [key(buddy), .integer(place), SQLValue(max(0, count))])
    }

    func original(of reply: ChatMessage) throws(StoreError) -> ChatMessage? {
        guard let original = reply.reply?.original else { return nil }
        let found =
            switch original {
            case .archive(let name): try message(of: reply.buddy, archivedAs: name).map { [$0] } ?? []
            case .stanza(let name): try messages(.byNameOfAnybody, [key(reply.buddy), .text(name)])
            }
        // Several senders may have chosen the same ID.
        return found.filter { $0.id != reply.id }.max { $0.place < $1.place }
    }

    func firstUnread(of buddy: ChatAddress) throws(StoreError) -> ChatMessage? {
        try messages(.firstUnread, [key(buddy)]).first
    }

    func lastMine(of buddy: ChatAddress) throws(StoreError) -> ChatMessage? {
        try messages(.lastMine, [key(buddy), SQLValue(1), SQLValue(false)]).first
    }

    func lastTime() throws(StoreError) -> ChatTime? {
        try rows(MessageStatement.lastTime, [.text(prefix)]) { $0.optionalInteger(0) }.first.flatMap { $0 }
            .map { ChatTime(milliseconds: $0) }
    }

    func waiting() throws(StoreError) -> [ChatMessage] { try messages(.waiting, [.text(prefix)]) }

    func corrections() throws(StoreError) -> [ChatMessage] { try messages(.corrections, [.text(prefix)]) }

    /// Returns the messages with all words; none once the search is cancelled.
    func search(
        _ words: String, of buddy: ChatAddress?, count: Int, as search: CancellableSearch
    ) throws(StoreError) -> [FoundMessage] {
        do throws(StoreError) {
            return try connection.watched(by: { !search.isCancelled }) { () throws(StoreError) in
                try find(words, of: buddy, count: count, as: search)
            }
        } catch {
            guard search.isCancelled else { throw error }
            return []
        }
    }

    private func find(
        _ words: String, of buddy: ChatAddress?, count: Int, as search: CancellableSearch
    ) throws(StoreError) -> [FoundMessage] {
        guard count > 0, let expression = FTSQuery.expression(words) else { return [] }
        let shown = SearchWords(words, by: TextFolding.letters)
        // The index also has what is not shown: spoilers, and what replies quote. If many are not, more are read.
        var limit = count
        while true {
            let indexed = try messages(
                .search,
                [.text(expression), buddy.map(key) ?? .null, SQLValue(limit), .text(prefix)])
            var found: [FoundMessage] = []
            for message in indexed where found.count < count && !search.isCancelled {
                if let one = FoundMessage(message, shown) { found.append(one) }
            }
            if search.isCancelled { return [] }
            guard found.count < count, indexed.count == limit, limit < Self.maximumIndexed else {
                return found
            }
            limit *= 4
        }
    }

    /// The number of messages from which on a search reads no more that are not shown.
    private static var maximumIndexed: Int { 2000 }
}
