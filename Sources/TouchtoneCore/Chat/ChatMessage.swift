// SPDX-License-Identifier: GPL-3.0-or-later

/// A message of a conversation, as it is kept and shown.
public struct ChatMessage: Hashable, Sendable, Identifiable {
    /// The store's name of it, which stays.
    public let id: Int64
    /// The conversation that it belongs to, and with that the account.
    public let conversation: ConversationID
    /// Its sender.
    public let sender: MessageSender
    /// What was said, as it was typed; after a correction, the corrected text.
    public var text: String
    /// When it was sent, as far as that is known.
    public var time: ChatTime
    /// Where it stands in its conversation: the greater, the later.
    ///
    /// No two messages have the same.
    public var place: Int64
    /// What became of it; a message from the buddy is `received`.
    public var state: MessageState
    /// What its sender named it by (XEP-0359's origin id, or the stanza's id); nil if it has no name.
    public var name: String?
    /// What the own account's archive names it by; nil where that is not known.
    public var archiveName: String?
    /// Whether its sender has corrected it.
    public var isCorrected: Bool
    /// The name of the correction of mine that the text goes out by; nil where the server has the text, or gets it with
    /// the message.
    public var correction: String?
    /// Whether it came and nobody has seen it yet.
    public var isUnread: Bool
    /// Whether its sender wants to be told that it arrived, or that it was read.
    public var receiptRequests: ReceiptRequests

    /// Creates one.
    public init(
        id: Int64, conversation: ConversationID, sender: MessageSender, text: String, time: ChatTime,
        place: Int64,
        state: MessageState,
        name: String? = nil, archiveName: String? = nil, isCorrected: Bool = false,
        correction: String? = nil, isUnread: Bool = false, receiptRequests: ReceiptRequests = []
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.text = text
        self.time = time
        self.place = place
        self.state = state
        self.name = name
        self.archiveName = archiveName
        self.isCorrected = isCorrected
        self.correction = correction
        self.isUnread = isUnread
        self.receiptRequests = receiptRequests
    }

    /// The other side of the conversation.
    public var buddy: ChatAddress { conversation.buddy }
}

/// What a sender wants to be told.
public struct ReceiptRequests: OptionSet, Hashable, Sendable {
    /// The bits, as the store keeps them.
    public let rawValue: Int
    /// Takes the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// That the message arrived (XEP-0184).
    public static let receipt = ReceiptRequests(rawValue: 1)
    /// That the message was read (XEP-0333).
    public static let marker = ReceiptRequests(rawValue: 2)
}

/// What became of a message.
public enum MessageState: Hashable, Sendable {
    /// It is the buddy's.
    case received
    /// Mine: the server has not said that it has it.
    case waiting
    /// Mine: the server has it.
    case sent
    /// Mine: a device of the buddy's has it.
    case delivered
    /// Mine: the buddy has seen it.
    case read
    /// Mine: it came to nothing, because of that, in words for the user.
    case failed(String)

    /// How far it has come: a late word of an earlier step does not take it back.
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
