// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A message of a conversation, or a call with the other side.
enum ConversationItem {
    case message(ChatMessage)
    case call(HistoryEntry)

    var time: ChatTime {
        switch self {
        case .message(let message): message.time
        case .call(let entry): entry.call.began
        }
    }

    /// Returns messages in their order, with each call before the first message that is later.
    ///
    /// - Parameters:
    ///   - calls: The calls in the order of their beginning.
    ///   - isFromBeginning: Whether no message is before the first one; otherwise, earlier calls are left out.
    ///   - isToEnd: Whether no message is after the last one; otherwise, later calls are left out.
    static func merge(
        _ messages: [ChatMessage], _ calls: [HistoryEntry], isFromBeginning: Bool, isToEnd: Bool
    ) -> [ConversationItem] {
        guard !calls.isEmpty else { return messages.map { .message($0) } }
        var items: [ConversationItem] = []
        items.reserveCapacity(messages.count + calls.count)
        var rest = calls[...]
        for message in messages {
            let earlier = rest.prefix { $0.call.began < message.time }
            rest = rest.dropFirst(earlier.count)
            if isFromBeginning || !items.isEmpty { items += earlier.map { .call($0) } }
            items.append(.message(message))
        }
        if isToEnd { items += rest.map { .call($0) } }
        return items
    }
}
