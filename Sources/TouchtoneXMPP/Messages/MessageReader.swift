// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The source from which a message was delivered.
enum DeliverySource {
    /// The stream, also for a carbon, with the time that the message was sent, if known.
    case stream(Timestamp?)
    /// A copy of a message that another device of mine sent, with its time, if known.
    case sentElsewhere(Timestamp?)
    /// An archive, with the id of the message there and the time that it was archived.
    case archive(String, Timestamp)
}

struct ParsedMessage {
    var message: ReceivedMessage?
    /// The updates of other messages.
    var others: [MessageUpdate] = []
    /// The stanza's id in the archive, also without a message to show.
    var archiveID: String?
    var typing: (buddy: ChatAddress, state: Typing)?

    var updates: [MessageUpdate] { (message.map { [.received($0)] } ?? []) + others }
}

/// The rules by which the messages of a kind of conversation are read: who sent them, and which of their claims count.
///
/// A policy is a value of the time at which the message came: it must not change while a message is being decrypted.
protocol MessagePolicy {
    /// Returns the stanza's id in the archive; nil if there is none, or nobody vouches for it.
    func archiveID(of message: Message, _ source: DeliverySource) -> String?
    /// Returns the bare addresses of which one is the sender’s own; none if it is not known.
    func senders(of message: Message, _ source: DeliverySource) -> [ChatAddress]
    /// Reads a message, whose id in the archive is already known.
    func read(_ message: Message, _ source: DeliverySource, into parsed: inout ParsedMessage)
}

/// The reader of all message stanzas: live messages, those of other devices, and archived ones.
struct MessageReader {
    /// The greatest length of a message's id, in bytes; a longer one is ignored.
    static let maximumIDLength = 1024
    /// The beginning of 1999, before Jabber existed.
    private static let earliest = ChatTime(milliseconds: 915_148_800_000)

    let policy: any MessagePolicy

    /// Returns a message as it enters the decryption.
    func stanza(_ message: Message, _ source: DeliverySource) -> ReceivedStanza {
        let isEncrypted = OMEMO.encrypted(in: message) != nil
        let isArchived = if case .archive = source { true } else { false }
        return ReceivedStanza(
            message: message, senders: isEncrypted ? policy.senders(of: message, source) : [],
            isArchived: isArchived)
    }

    /// Returns what a decrypted message says.
    func read(_ stanza: ReceivedStanza, _ source: DeliverySource) -> ParsedMessage {
        guard let opened = stanza.opened else { return read(stanza.message, source) }
        var parsed = read(stanza.message.opened(opened), source)
        parsed.message?.take(opened)
        return parsed
    }

    /// Returns what a message says, as far as its sender is entitled to say it.
    func read(_ message: Message, _ source: DeliverySource) -> ParsedMessage {
        var parsed = ParsedMessage()
        parsed.archiveID = policy.archiveID(of: message, source)
        policy.read(message, source, into: &parsed)
        return parsed
    }

    /// Returns an id; nil if it is empty or too long.
    static func bounded(_ id: String) -> String? {
        id.isEmpty || id.utf8.count > maximumIDLength ? nil : id
    }

    /// Returns the id that the sender gave a message, which corrections, receipts and markers refer to.
    ///
    /// - Parameter prefersOrigin: Whether the id of the stanza may have been replaced on the way.
    static func stanzaID(of message: Message, prefersOrigin: Bool = false) -> String? {
        let (id, origin) = (message.id.flatMap(bounded), StableIDs.origin(in: message).flatMap(bounded))
        return prefersOrigin ? origin ?? id : id ?? origin
    }

    static func receiptRequests(of message: Message) -> ReceiptRequests {
        guard message.kind != .headline, stanzaID(of: message) != nil else { return [] }
        var receiptRequests: ReceiptRequests = []
        if message.extension(Receipts.namespace, "request") != nil { receiptRequests.insert(.receipt) }
        if message.extension(ChatMarkers.namespace, "markable") != nil { receiptRequests.insert(.marker) }
        return receiptRequests
    }

    /// Returns the time of a message: the given one, unless it is missing, impossible or later than now.
    static func time(_ stamp: Timestamp?, now: ChatTime) -> ChatTime {
        guard let stamp else { return now }
        let time = ChatTime(milliseconds: stamp.microseconds / 1000)
        return time > now || time < earliest ? now : time
    }
}
