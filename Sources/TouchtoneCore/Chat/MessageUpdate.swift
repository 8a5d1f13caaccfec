// SPDX-License-Identifier: GPL-3.0-or-later

/// An update of messages from any source, the only way to change stored ones; repeating one changes nothing.
public enum MessageUpdate: Hashable, Sendable {
    /// The user wrote a message on this device.
    case composed(ComposedMessage)
    /// The user corrected a message on this device: `name` is the message’s ID, `by` the ID of the correction’s stanza.
    case corrected(buddy: ChatAddress, name: String, text: String, by: String)
    /// A message was received by the stream: from the buddy, or a copy of the user’s from another device.
    case received(ReceivedMessage)
    /// A contiguous page of the archive was received, in order.
    case archived(ArchivePage)
    /// Somebody reacted to a message, or retracted one.
    case annotated(MessageAnnotation)
    /// The user did so on this device; the annotation’s name is the ID of the stanza that tells of it.
    case annotatedHere(MessageAnnotation)
    /// The user deleted a message on this device alone; `id` is its identifier in the store.
    case deletedHere(buddy: ChatAddress, id: Int64, time: ChatTime, isOfRoom: Bool = false)
    /// The server has the user’s message or correction.
    case acknowledged(buddy: ChatAddress, name: String)
    /// A device of the buddy’s has the user’s message.
    case delivered(buddy: ChatAddress, name: String)
    /// The buddy has seen the user’s message and those before it.
    case read(buddy: ChatAddress, name: String)
    /// An occupant of a room has seen the message with this ID in the room’s archive, whoever sent it, and those before
    /// it.
    case readInRoom(ChatAddress, archiveName: String)
    /// The user’s message or correction failed. After a failed correction, the message must be sent again.
    case failed(buddy: ChatAddress, name: String, reason: String)
    /// The user’s failed message is sent again under a new, unique ID: it waits as the last message.
    ///
    /// Later reports on the old ID refer to the old attempt and change nothing.
    case retried(buddy: ChatAddress, name: String, newName: String)
    /// The file of the user’s waiting message is at an address now, with this size in bytes, hash and thumbnail in Base64 as
    /// far as they are known; the message moves to the end, where it arrives.
    case uploaded(
        buddy: ChatAddress, name: String, url: String, size: Int64? = nil, hash: FileHash? = nil,
        thumbnail: String? = nil)
    /// The thumbnail, in Base64, of the first file of a buddy’s message came after the message.
    case thumbnail(String, buddy: ChatAddress, name: String)
    /// The user does not want to send the file of a message any more: the message is removed, unless the file is
    /// uploaded.
    case cancelled(buddy: ChatAddress, name: String)
    /// The user’s waiting message is sent encrypted.
    case protected(buddy: ChatAddress, name: String)
    /// The encryption of a conversation was switched on or off by the user: so are its waiting messages.
    case protectedWaiting(Bool, buddy: ChatAddress)
    /// The user’s waiting messages in a conversation are sent now, and move to the end, after messages received in the meantime.
    ///
    /// All of them move together, in their order: those that are written just then, too.
    case postponedWaiting(ChatAddress)
    /// The user has seen the messages up to this one, on this device (by place) or another one (by ID).
    case seen(buddy: ChatAddress, upTo: SeenMark)
}

public enum SeenMark: Hashable, Sendable {
    /// The message at this place, inclusive.
    case place(Int64)
    /// The message with this sender’s ID, inclusive.
    case name(String)
    /// The message with this ID in the archive, inclusive.
    case archiveName(String)
}

/// A locally composed message.
public struct ComposedMessage: Hashable, Sendable {
    public let buddy: ChatAddress
    /// The unique message ID for the wire.
    public let name: String
    /// The text as typed, or the file to send.
    public let content: MessageContent
    public let time: ChatTime
    /// The message that this one replies to; nil if it is no reply.
    public let reply: MessageReply?

    public init(
        buddy: ChatAddress, name: String, content: MessageContent, time: ChatTime, reply: MessageReply? = nil
    ) {
        self.buddy = buddy
        self.name = name
        self.content = content
        self.time = time
        self.reply = reply
    }

    public init(buddy: ChatAddress, name: String, text: String, time: ChatTime) {
        self.init(buddy: buddy, name: name, content: MessageContent(text), time: time)
    }
}

/// A message received from the service, by the stream or from the archive.
public struct ReceivedMessage: Hashable, Sendable {
    public var buddy: ChatAddress
    /// The sender; `me` if the user sent it from another device.
    public var sender: MessageSender
    public var content: MessageContent
    /// The time of sending or, if that is not stated, of arrival.
    public var time: ChatTime
    /// The sender’s message ID.
    public var name: String?
    /// The ID in the archive of the account or, for a room’s message, of the room, accepted only from that archive.
    public var archiveName: String?
    public var relation: MessageRelation
    public var receiptRequests: ReceiptRequests
    /// How a room passed the message on; `direct` if it did not come through a room.
    public var passage: Passage
    /// Whether the message is the user’s, and the room that sent it back may have changed its ID and split its text.
    public var mayBeChanged = false
    /// Whether the message is encrypted and was opened before, so that it only tells of the stored one.
    public var isRepetition = false

    public enum Passage: Hashable, Sendable {
        /// Not through a room, or only from the archive of one.
        case direct
        /// By a room in the order of its messages, which decides the place of the user’s message.
        case reflected
        /// A notice of the room itself, which is never unread.
        case notice
        /// As part of the past of an archive or a room that is read for the first time, which is never unread.
        case past
    }

    public init(
        buddy: ChatAddress, sender: MessageSender, content: MessageContent, time: ChatTime,
        name: String? = nil, archiveName: String? = nil, relation: MessageRelation = .none,
        receiptRequests: ReceiptRequests = [], passage: Passage = .direct
    ) {
        self.buddy = buddy
        self.sender = sender
        self.content = content
        self.time = time
        self.name = name
        self.archiveName = archiveName
        self.relation = relation
        self.receiptRequests = receiptRequests
        self.passage = passage
    }

    public init(
        buddy: ChatAddress, sender: MessageSender, text: String, time: ChatTime, name: String? = nil,
        archiveName: String? = nil, relation: MessageRelation = .none, receiptRequests: ReceiptRequests = [],
        passage: Passage = .direct
    ) {
        self.init(
            buddy: buddy, sender: sender, content: MessageContent(text), time: time, name: name,
            archiveName: archiveName, relation: relation, receiptRequests: receiptRequests, passage: passage)
    }

    public var text: String { content.text }
    public var file: SharedFile? { content.file }

    /// The same message with nothing that proves its sender.
    var unproven: ReceivedMessage {
        var message = self
        if case .corrects(let name, _) = relation { message.relation = .corrects(name, proof: .nothing) }
        return message
    }

    /// The same message as part of the past, which is neither unread nor confirmed.
    public var past: ReceivedMessage {
        var message = self
        (message.passage, message.receiptRequests) = (.past, [])
        return message
    }

    /// Whether the message claims to correct another one, also if nothing proves that.
    var isCorrection: Bool { if case .corrects = relation { true } else { false } }

    /// Whether the message is unread when it arrives.
    var isNew: Bool { sender != .me && isRecent }

    /// Whether somebody, also the user elsewhere, has written the message since the conversation was last read.
    var isRecent: Bool { passage != .notice && passage != .past }
}

/// Consecutive messages from the archive.
public struct ArchivePage: Hashable, Sendable {
    /// The position of a page relative to the known messages.
    public enum End: Hashable, Sendable {
        /// After all known messages: missed messages, which are unread unless the user sent them. Once the
        /// page is stored, the archive is known up to the named item, which may not be a shown message.
        case newest(upTo: String?)
        /// After all known messages of a room; the name is that of the last item read in the room’s own archive.
        case newestOfRoom(ChatAddress, upTo: String?)
        /// Before all known messages of a conversation: older history, of which nothing is unread.
        case oldest(of: ChatAddress)
        /// Before all known messages of a room or, for nil, of the account: the past of a device that reads the archive
        /// for the first time, with the rest that it still has to load.
        case past(of: ChatAddress?, rest: ArchivePast?)
    }
    public let end: End
    /// The messages, the oldest first.
    public let messages: [ReceivedMessage]

    public init(_ end: End, _ messages: [ReceivedMessage]) {
        self.end = end
        self.messages = messages
    }
}

/// The part of an archive to load after the first look at it, from the newest to the oldest.
public struct ArchivePast: Hashable, Sendable {
    /// The ID in the archive of the oldest item that was loaded.
    public let name: String
    /// The number of pages to load before it.
    public let pages: Int

    public init(before name: String, pages: Int) {
        self.name = name
        self.pages = pages
    }
}

public struct MessageChanges: Hashable, Sendable {
    /// The new messages, in the order of their places.
    public var inserted: [ChatMessage]
    /// The changed messages; a changed place means a new position.
    public var changed: [ChatMessage]
    public var removed: [ChatMessage]
    /// The number of unread messages, for each conversation in which it changed.
    public var unread: [ConversationID: Int]
    /// The files of messages that were retracted.
    public var retractedFiles: [SharedFile] = []
    /// The new reactions of others to stored messages of the user, in the order in which they were applied.
    public var reactions: [ReceivedReaction] = []

    public init(
        inserted: [ChatMessage] = [], changed: [ChatMessage] = [], removed: [ChatMessage] = [],
        unread: [ConversationID: Int] = [:]
    ) {
        self.inserted = inserted
        self.changed = changed
        self.removed = removed
        self.unread = unread
    }
}
