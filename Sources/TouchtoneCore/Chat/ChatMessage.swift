// SPDX-License-Identifier: GPL-3.0-or-later

/// A message of a conversation, as it is stored and shown.
public struct ChatMessage: Hashable, Sendable, Identifiable {
    /// The message’s permanent identifier in the store.
    public var id: Int64
    /// The conversation of the message, which includes the account.
    public let conversation: ConversationID
    public let sender: MessageSender
    /// The content as it was sent; after a correction, the corrected content.
    public var content: MessageContent
    /// The time at which the message was sent, as far as it is known.
    public var time: ChatTime
    /// The position in the conversation, which is unique there; a later message has a greater place.
    public var place: Int64
    /// The delivery state; `received` for a message from the buddy.
    public var state: MessageState
    /// The sender’s identifier of the message (the XEP-0359 origin ID, or the stanza’s ID); nil if it has none.
    public var name: String?
    /// The message’s identifier in the account’s own archive; nil if it is not known.
    public var archiveName: String?
    /// Whether the sender has corrected the message.
    public var isCorrected: Bool
    /// Whether the message was received and is unread.
    public var isUnread: Bool
    /// The stanza ID of the user’s correction that the server has not acknowledged; nil if the server has the current
    /// text, or will receive it with the message itself.
    public var correction: String?
    /// The receipts that the sender requested.
    public var receiptRequests: ReceiptRequests
    /// The message that this one replies to; nil if it is no reply.
    public var reply: MessageReply? {
        get { if case .values(let reply, _, _)? = rarities { reply } else { nil } }
        set { rarities = Rarities(reply: newValue, retraction: retraction, reactions: reactions) }
    }
    /// The retraction of the message, which has no content any more; nil if it was not retracted.
    public var retraction: MessageRetraction? {
        get { if case .values(_, let retraction, _)? = rarities { retraction } else { nil } }
        set { rarities = Rarities(reply: reply, retraction: newValue, reactions: reactions) }
    }
    /// The reactions to the message, the oldest first, each of a different sender; also those that were withdrawn.
    public var reactions: [MessageReaction] {
        get { if case .values(_, _, let reactions)? = rarities { reactions } else { [] } }
        set { rarities = Rarities(reply: reply, retraction: retraction, reactions: newValue) }
    }
    private var rarities: Rarities?

    /// The values that most of the many messages in memory do not have, which are stored apart.
    private indirect enum Rarities: Hashable, Sendable {
        case values(MessageReply?, MessageRetraction?, [MessageReaction])

        init?(reply: MessageReply?, retraction: MessageRetraction?, reactions: [MessageReaction]) {
            guard reply != nil || retraction != nil || !reactions.isEmpty else { return nil }
            self = .values(reply, retraction, reactions)
        }
    }

    public init(
        id: Int64, conversation: ConversationID, sender: MessageSender, content: MessageContent,
        time: ChatTime, place: Int64, state: MessageState,
        name: String? = nil, archiveName: String? = nil, isCorrected: Bool = false,
        correction: String? = nil, isUnread: Bool = false, receiptRequests: ReceiptRequests = [],
        reply: MessageReply? = nil, retraction: MessageRetraction? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.content = content
        self.time = time
        self.place = place
        self.state = state
        self.name = name
        self.archiveName = archiveName
        self.isCorrected = isCorrected
        self.correction = correction
        self.isUnread = isUnread
        self.receiptRequests = receiptRequests
        rarities = Rarities(reply: reply, retraction: retraction, reactions: [])
    }

    public var buddy: ChatAddress { conversation.buddy }
    /// The text with all fallbacks, as it is sent; `visibleText` is shown.
    public var text: String { content.text }
    /// The text to show, without what it quotes of the message that it replies to; empty after a retraction.
    ///
    /// That of a spoiler is shown only when the user asks for it; `summary` does not tell it.
    public var visibleText: String { content.visibleText }
    /// The file of the message; nil for a text alone.
    public var file: SharedFile? { content.file }
    /// Whether the user can replace the text of the message by another one.
    public var isCorrectable: Bool {
        sender == .me && file == nil && content.encryption == nil && retraction == nil
    }
}

public struct ReceiptRequests: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A delivery receipt (XEP-0184).
    public static let receipt = ReceiptRequests(rawValue: 1)
    /// A read marker (XEP-0333).
    public static let marker = ReceiptRequests(rawValue: 2)
}

extension ChatMessage {
    public var isFailed: Bool { if case .failed = state { true } else { false } }
}

public enum MessageState: Hashable, Sendable {
    case received
    /// The server has not acknowledged the user’s message.
    case waiting
    /// The server has the user’s message.
    case sent
    /// A device of the buddy’s has the user’s message.
    case delivered
    /// The buddy has seen the user’s message.
    case read
    /// The user’s message could not be delivered, for the given reason, which is shown to the user.
    case failed(String)

    /// The rank of the state: a late report of an earlier state does not lower it.
    var progress: Int {
        switch self {
        case .failed: 0
        case .waiting: 1
        case .sent: 2
        case .delivered: 3
        case .read, .received: 4
        }
    }
}
