// SPDX-License-Identifier: GPL-3.0-or-later

/// An emoji with which people react to a message, and those who do.
public struct ReactionCount: Hashable, Sendable {
    public let emoji: String
    /// The senders, in the order of their reactions; never empty.
    public fileprivate(set) var senders: [MessageSender]

    /// Whether the user is among the senders.
    public var isMine: Bool { senders.contains(.me) }
}

extension ChatMessage {
    /// The emoji of all reactions, in the order in which they were first used.
    public var reactionCounts: [ReactionCount] {
        var counts: [ReactionCount] = []
        for reaction in reactions {
            for emoji in reaction.emoji {
                if let index = counts.firstIndex(where: { $0.emoji == emoji }) {
                    counts[index].senders.append(reaction.sender)
                } else {
                    counts.append(ReactionCount(emoji: emoji, senders: [reaction.sender]))
                }
            }
        }
        return counts
    }
}
