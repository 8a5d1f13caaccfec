// SPDX-License-Identifier: GPL-3.0-or-later

/// The run of a conversation's messages that is in memory: a piece of what is kept, without holes, in order.
struct LoadedMessages {
    private(set) var messages: [ChatMessage] = []
    /// Whether the store has more before the first, or after the last one.
    private(set) var (hasOlder, hasNewer) = (false, false)

    /// So many are in memory, and so many more for a while where nobody stands at the end.
    static let limit = 300
    /// So many are read at a time.
    static let page = 100

    /// Begins anew.
    mutating func reset(_ messages: [ChatMessage], hasOlder: Bool, hasNewer: Bool) {
        (self.messages, self.hasOlder, self.hasNewer) = (messages, hasOlder, hasNewer)
    }

    /// Puts what the store has before the first one there; the end goes where it gets too long.
    mutating func prepend(_ page: [ChatMessage], hasMore: Bool) -> [Conversation.Change] {
        let first = messages.first?.place ?? .max
        let new = page.filter { $0.place < first }
        hasOlder = hasMore
        messages.insert(contentsOf: new, at: 0)
        let gone = messages.suffix(max(0, messages.count - Self.limit))
        messages.removeLast(gone.count)
        hasNewer = hasNewer || !gone.isEmpty
        return Self.changes(gone: gone, new: new, atEnd: false)
    }

    /// Puts what the store has after the last one there; the beginning goes where it gets too long.
    mutating func append(_ page: [ChatMessage], hasMore: Bool) -> [Conversation.Change] {
        let last = messages.last?.place ?? .min
        let new = page.filter { $0.place > last }
        hasNewer = hasMore
        messages += new
        return Self.changes(gone: trimBeginning(), new: new, atEnd: true)
    }

    /// Takes in what has become of the conversation.
    ///
    /// - Parameter isAtEnd: whether the last message is looked at: if not, nothing goes at the beginning, where
    ///   somebody may be reading.
    mutating func take(_ inserted: [ChatMessage], changed: [ChatMessage], isAtEnd: Bool)
        -> [Conversation.Change]
    {
        var changes: [Conversation.Change] = []
        var moved: [ChatMessage] = []
        for message in changed {
            guard let index = messages.firstIndex(where: { $0.id == message.id }) else {
                // It may have come from outside: one that was sent again stands at the end now.
                moved.append(message)
                continue
            }
            guard messages[index].place != message.place else {
                messages[index] = message
                changes.append(.changed(message))
                continue
            }
            messages.remove(at: index)
            changes.append(.removed([message.id]))
            moved.append(message)
        }
        return changes + add((inserted + moved).sorted { $0.place < $1.place }, isAtEnd: isAtEnd)
    }

    private mutating func add(_ arrived: [ChatMessage], isAtEnd: Bool) -> [Conversation.Change] {
        var end: [ChatMessage] = []
        for message in arrived {
            if let first = messages.first, message.place < first.place {
                // Older history, which is read when it is asked for.
                hasOlder = true
            } else if !hasNewer, message.place > messages.last?.place ?? .min {
                guard isAtEnd || messages.count < 2 * Self.limit else {
                    hasNewer = true
                    continue
                }
                messages.append(message)
                end.append(message)
            }
        }
        guard !end.isEmpty else { return [] }
        let gone = isAtEnd ? trimBeginning() : []
        let ids = Set(gone.map(\.id))
        return Self.changes(
            gone: gone.filter { !end.contains($0) }, new: end.filter { !ids.contains($0.id) }, atEnd: true)
    }

    private mutating func trimBeginning() -> ArraySlice<ChatMessage> {
        let gone = messages.prefix(max(0, messages.count - Self.limit))
        messages.removeFirst(gone.count)
        hasOlder = hasOlder || !gone.isEmpty
        return gone
    }

    private static func changes(gone: some Sequence<ChatMessage>, new: [ChatMessage], atEnd: Bool)
        -> [Conversation.Change]
    {
        let ids = gone.map(\.id)
        return (ids.isEmpty ? [] : [.removed(ids)]) + (new.isEmpty ? [] : [.inserted(new, atEnd: atEnd)])
    }
}
