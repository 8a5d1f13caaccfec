// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A received message, with the reader for the time at which it came.
struct InboundMessage {
    let message: Message
    let source: DeliverySource
    let reader: MessageReader
}

/// A received message on its way through the decryption.
struct ReceivedStanza: Sendable {
    var message: Message
    /// The bare addresses of which one is the sender’s own.
    let senders: [ChatAddress]
    /// Whether the message comes from an archive.
    let isArchived: Bool
    /// The content of its encrypted part; nil if it has none, or was not decrypted.
    var opened: OpenedMessage?
}

/// The way of all received messages: they are decrypted, read and reported, in the order in which they came.
@MainActor
final class MessagePipeline {
    private let decryption: MessageStage<ReceivedStanza>

    /// - Parameters:
    ///   - decryption: The decryption; nil leaves messages as they are.
    ///   - needsDecryption: Whether a message is decrypted at all.
    init(
        decryption: MessageStage<ReceivedStanza>.Change? = nil,
        where needsDecryption: @escaping @MainActor (ReceivedStanza) -> Bool
    ) {
        self.decryption = MessageStage(decryption, where: needsDecryption)
    }

    convenience init(decryption: MessageStage<ReceivedStanza>.Change? = nil) {
        self.init(decryption: decryption, where: { _ in true })
    }

    /// Called when the stream must pause, because too many messages wait, and when it may go on.
    var onCrowded: (@MainActor (Bool) -> Void)? {
        get { decryption.onCrowded }
        set { decryption.onCrowded = newValue }
    }

    /// Reads a message, and reports it after those that came before.
    func receive(_ inbound: InboundMessage, report: @escaping @MainActor (ParsedMessage) -> Void) {
        decryption.enter([inbound.reader.stanza(inbound.message, inbound.source)]) { stanzas in
            for stanza in stanzas { report(inbound.reader.read(stanza, inbound.source)) }
        }
    }

    /// Reads a page of an archive, and returns what its messages say once those that came before are reported.
    func read(_ page: Archive.Page, _ reader: MessageReader) async -> [ParsedMessage] {
        let stanzas = page.items.map { reader.stanza($0.message, .archive($0.id, $0.stamp)) }
        let read = await withCheckedContinuation { continuation in
            decryption.enter(stanzas) { continuation.resume(returning: $0) }
        }
        return zip(page.items, read).map { reader.read($1, .archive($0.id, $0.stamp)) }
    }

    /// Calls back when everything that has come so far is reported.
    func whenReported(_ completion: @escaping @MainActor () -> Void) { decryption.whenPassed(completion) }
}
