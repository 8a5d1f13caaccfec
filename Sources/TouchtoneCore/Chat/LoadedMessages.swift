// SPDX-License-Identifier: GPL-3.0-or-later

/// The loaded messages of a conversation: a contiguous range of the stored ones, in order.
struct LoadedMessages {
    private(set) var messages: [ChatMessage] = []
    /// Whether the store has messages before the first, and after the last loaded one.
    private(set) var (hasOlder, hasNewer) = (false, false)

    /// The number of messages to keep in memory; up to twice as many while the view is not at the end.
    static let limit = 300
    /// The number of messages in a page.
    static let page = 100

    /// Replaces all loaded messages.
    mutating func reset(_ messages: [ChatMessage], hasOlder: Bool, hasNewer: Bool) {
        (self.messages, self.hasOlder, self.hasNewer) = (messages, hasOlder, hasNewer)
    }

    /// Adds the page before the first message, and drops messages from the end above the limit.
    mutating func prepend(_ page: [ChatMessage], hasMore: Bool) -> [Conversation.Change] {
        let first = messages.first?.place ?? .max
        let new = page.filter { $0.place < first }
        hasOlder = hasMore
        messages.insert(contentsOf: new, at: 0)
        let dropped = messages.suffix(max(0, messages.count - Self.limit))
        messages.removeLast(dropped.count)
        hasNewer = hasNewer || !dropped.isEmpty
        return Self.changes(dropped: dropped, new: new, atEnd: false)
    }

    /// Adds the page after the last message, and drops messages from the beginning above the limit.
    mutating func append(_ page: [ChatMessage], hasMore: Bool) -> [Conversation.Change] {
        let last = messages.last?.place ?? .min
        let new = page.filter { $0.place > last }
        hasNewer = hasMore
        messages += new
        return Self.changes(dropped: trimBeginning(), new: new, atEnd: true)
    }

    /// Applies changes of the conversation.
    ///
    /// - Parameter isAtEnd: Whether the view is at the end. If not, no message is dropped from the beginning, where the
    ///   user may be reading.
    mutating func take(_ inserted: [ChatMessage], changed: [ChatMessage], isAtEnd: Bool)
        -> [Conversation.Change]
    {
        var changes: [Conversation.Change] = []
        var moved: [ChatMessage] = []
        for message in changed {
            guard let index = messages.firstIndex(where: { $0.id == message.id }) else {
                // A message that was sent again moves to the end, possibly from outside the loaded range.
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
                // Older messages are read on request.
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
        let dropped = isAtEnd ? trimBeginning() : []
        let ids = Set(dropped.map(\.id))
        return Self.changes(
            dropped: dropped.filter { !end.contains($0) }, new: end.filter { !ids.contains($0.id) },
            atEnd: true)
    }

    private mutating func trimBeginning() -> ArraySlice<ChatMessage> {
        let dropped = messages.prefix(max(0, messages.count - Self.limit))
        messages.removeFirst(dropped.count)
        hasOlder = hasOlder || !dropped.isEmpty
        return dropped
    }

    private static func changes(dropped: some Sequence<ChatMessage>, new: [ChatMessage], atEnd: Bool)
        -> [Conversation.Change]
    {
        let ids = dropped.map(\.id)
        return (ids.isEmpty ? [] : [.removed(ids)]) + (new.isEmpty ? [] : [.inserted(new, atEnd: atEnd)])
    }
}
