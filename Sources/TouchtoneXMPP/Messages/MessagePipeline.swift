// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A received message, with the reader for the time at which it came.
struct InboundMessage {
    let message: Message
    let source: DeliverySource
    let reader: MessageReader
}

/// The way of all received messages: they are decrypted, read and reported, in the order in which they came.
@MainActor
final class MessagePipeline {
    private let decryption: MessageStage

    /// - Parameter decryption: The decryption; nil leaves messages as they are.
    init(decryption: MessageStage.Change? = nil) { self.decryption = MessageStage(decryption) }

    /// Called when the stream must pause, because too many messages wait, and when it may go on.
    var onCrowded: (@MainActor (Bool) -> Void)? {
        get { decryption.onCrowded }
        set { decryption.onCrowded = newValue }
    }

    /// Reads a message, and reports it after those that came before.
    func receive(_ inbound: InboundMessage, report: @escaping @MainActor (ParsedMessage) -> Void) {
        decryption.enter([inbound.message]) { messages in
            for message in messages { report(inbound.reader.read(message, inbound.source)) }
        }
    }

    /// Reads a page of an archive, and returns what its messages say once those that came before are reported.
    func read(_ page: Archive.Page, _ reader: MessageReader) async -> [ParsedMessage] {
        let messages = await withCheckedContinuation { continuation in
            decryption.enter(page.items.map(\.message)) { continuation.resume(returning: $0) }
        }
        return zip(page.items, messages).map { reader.read($1, .archive($0.id, $0.stamp)) }
    }

    /// Calls back when everything that has come so far is reported.
    func whenReported(_ completion: @escaping @MainActor () -> Void) { decryption.whenPassed(completion) }
}
