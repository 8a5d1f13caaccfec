// SPDX-License-Identifier: GPL-3.0-or-later

/// The relation of a received message to an earlier one of its conversation.
public enum MessageRelation: Hashable, Sendable {
    case none
    /// The message corrects the one with this ID by the same sender (XEP-0308).
    case corrects(String, proof: SenderProof)
    /// The message replies to another one of anybody’s (XEP-0461).
    case repliesTo(MessageReply)

    /// The ID of the message to correct; nil for a message of its own, also if nothing proves its claim to correct one.
    public var corrected: String? {
        switch self {
        case .corrects(let name, let proof) where proof != .nothing: name
        case .none, .corrects, .repliesTo: nil
        }
    }

    public var reply: MessageReply? {
        switch self {
        case .repliesTo(let reply): reply
        case .none, .corrects: nil
        }
    }
}

/// The message that another one replies to (XEP-0461); its existence and author are unproven.
public struct MessageReply: Hashable, Sendable {
    public let original: MessageReference
    public let author: ChatAddress?

    public init(to original: MessageReference, by author: ChatAddress?) {
        self.original = original
        self.author = author
    }
}

/// The proof that two messages are by the same sender.
public enum SenderProof: Hashable, Sendable {
    /// The sender’s address, or the identifier that a room assigns to it.
    case identity
    /// The sender’s uninterrupted stay in a room since this time; an older message with its ID is by a former
    /// occupant, whose nickname the sender has taken.
    case stay(ChatTime)
    /// The sender’s own address, which the archive of a room tells: the other message counts if it is by the same.
    case address(ChatAddress)
    /// Nothing: the message is one of its own, unless it repeats one that was applied when its sender was known.
    case nothing
}
