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

    func firstUnread(of buddy: ChatAddress) throws(StoreError) -> ChatMessage? {
        try messages(.firstUnread, [key(buddy)]).first
    }

    func lastMine(of buddy: ChatAddress) throws(StoreError) -> ChatMessage? {
        try messages(.lastMine, [key(buddy)]).first
    }

    func waiting() throws(StoreError) -> [ChatMessage] { try messages(.waiting, [.text(prefix)]) }

    func corrections() throws(StoreError) -> [ChatMessage] { try messages(.corrections, [.text(prefix)]) }

    func search(_ words: String, of buddy: ChatAddress?, count: Int) throws(StoreError) -> [ChatMessage] {
        guard let expression = FTSQuery.expression(words) else { return [] }
        return try messages(
            .search,
            [
                .text(expression), buddy.map(key) ?? .null, SQLValue(max(0, count)),
                .text(prefix),
            ]
        ).filter { $0.shows(words) }
    }
}
