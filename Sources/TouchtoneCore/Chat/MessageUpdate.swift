// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that has become known of messages, from whatever side: what the store is changed by.
///
/// The same fact may be told any number of times; it changes something only once.
public enum MessageUpdate: Hashable, Sendable {
    /// I have written something here.
    case composed(ComposedMessage)
    /// I have corrected a message of mine here: the name of the message, and of the stanza that says so.
    case corrected(buddy: ChatAddress, name: String, text: String, by: String)
    /// A message came by the stream: from the buddy, or, sent by me, from another device of mine.
    case received(ReceivedMessage)
    /// A piece of the archive of one stream of time, without holes, in order.
    case archived(ArchivePage)
    /// The server has this message of mine, or this correction.
    case acknowledged(buddy: ChatAddress, name: String)
    /// A device of the buddy's has this message of mine.
    case delivered(buddy: ChatAddress, name: String)
    /// The buddy has seen this message of mine, and those before it.
    case read(buddy: ChatAddress, name: String)
    /// This message of mine failed, or this correction, after which the message is to be sent again.
    case failed(buddy: ChatAddress, name: String, reason: String)
    /// This message of mine failed and is tried again under a new name, never used before: it waits, as the last.
    ///
    /// News of the old name after that is about the old try, and changes nothing.
    case retried(buddy: ChatAddress, name: String, newName: String)
    /// This message of mine waits still, and is to be sent after what came meanwhile: it is the last now.
    case postponed(buddy: ChatAddress, name: String)
    /// I have seen the messages up to this one, here (by its place) or on another device (by its name).
    case seen(buddy: ChatAddress, upTo: SeenMark)
}

/// Up to where I have seen a conversation.
public enum SeenMark: Hashable, Sendable {
    /// Up to the place, with it.
    case place(Int64)
    /// Up to the message with the name that its sender gave it, with it.
    case name(String)
}

/// A message that I have written here.
public struct ComposedMessage: Hashable, Sendable {
    /// For whom it is.
    public let buddy: ChatAddress
    /// What it is named by on the wire: never used before.
    public let name: String
    /// What it says, as typed.
    public let text: String
    /// When it was written.
    public let time: ChatTime

    /// Creates one.
    public init(buddy: ChatAddress, name: String, text: String, time: ChatTime) {
        self.buddy = buddy
        self.name = name
        self.text = text
        self.time = time
    }
}

/// A message that came from the service, by the stream or in the archive.
public struct ReceivedMessage: Hashable, Sendable {
    /// Who the conversation is with.
    public let buddy: ChatAddress
    /// Its sender; `me` where another device of mine sent it.
    public let sender: MessageSender
    /// What it says, as it came.
    public let text: String
    /// When it was sent or, where that is not said, when it came.
    public let time: ChatTime
    /// What its sender named it by.
    public let name: String?
    /// What the own account's archive names it by: only by the word of the own server.
    public let archiveName: String?
    /// The name of the message of the same sender that it corrects (XEP-0308); nil for a message of its own.
    public let corrects: String?
    /// What its sender wants to be told.
    public let receiptRequests: ReceiptRequests

    /// Creates one.
    public init(
        buddy: ChatAddress, sender: MessageSender, text: String, time: ChatTime, name: String? = nil,
        archiveName: String? = nil, corrects: String? = nil, receiptRequests: ReceiptRequests = []
    ) {
        self.buddy = buddy
        self.sender = sender
        self.text = text
        self.time = time
        self.name = name
        self.archiveName = archiveName
        self.corrects = corrects
        self.receiptRequests = receiptRequests
    }
}

/// Messages that the archive has one after another.
public struct ArchivePage: Hashable, Sendable {
    /// Where a piece belongs.
    public enum End: Hashable, Sendable {
        /// After all that is known: what was missed, and is unread unless it is mine. The name is that of the last item
        /// looked at, which need not be a message that is shown: up to there all is known once the piece is kept.
        case newest(upTo: String?)
        /// Before all that is known of a conversation: older history, nothing of which is unread.
        case oldest(of: ChatAddress)
    }
    /// Where it belongs.
    public let end: End
    /// The messages, the oldest first.
    public let messages: [ReceivedMessage]

    /// Creates one.
    public init(_ end: End, _ messages: [ReceivedMessage]) {
        self.end = end
        self.messages = messages
    }
}

/// What came of facts.
public struct MessageChanges: Hashable, Sendable {
    /// The messages that are new, in the order of their places.
    public var inserted: [ChatMessage]
    /// The messages that are another now; where the place is another, they stand elsewhere.
    public var changed: [ChatMessage]
    /// How many messages are unread now, for each conversation of which that has changed.
    public var unread: [ConversationID: Int]

    /// Creates them.
    public init(
        inserted: [ChatMessage] = [], changed: [ChatMessage] = [], unread: [ConversationID: Int] = [:]
    ) {
        self.inserted = inserted
        self.changed = changed
        self.unread = unread
    }
}
