// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages sent on a stream without stream management, until the server proves that it has received them.
///
/// A server processes the stanzas of a stream in order (RFC 6120 section 10.1): its response to a ping (XEP-0199)
/// proves that it has everything sent before the ping. A successful write proves nothing: a connection accepts data
/// long after its peer is gone.
struct PingedDelivery {
    /// The greatest number of unconfirmed stanzas; further ones are refused.
    static let maximumWaiting = StreamManagement.maximumWaiting

    /// The unconfirmed stanzas, oldest first: each message, and everything sent after one.
    private(set) var waiting: [XMLElement] = []
    /// The id of the pending ping, and the number of stanzas that were sent before it.
    private var question: (id: String, count: Int)?

    /// Registers a stanza that is being sent; returns false if too many are unconfirmed.
    mutating func send(_ stanza: XMLElement) -> Bool {
        // Requests have responses of their own, and presence is sent again on each stream.
        guard stanza.name == "message" || !waiting.isEmpty else { return true }
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(stanza)
        return true
    }

    /// Creates a ping that confirms everything sent before it; returns nil if one is pending.
    mutating func ping(to server: JID) -> XMLElement? {
        guard question == nil else { return nil }
        let id = RandomText.make(16)
        question = (id, waiting.count)
        return IQ(.get, id: id, to: server, Ping.element).element
    }

    /// Returns the stanzas that an element confirms, nil if it is not the pong; an error proves the same.
    mutating func handle(_ element: XMLElement, own: JID) -> [XMLElement]? {
        guard let question, element.isNamed("iq", Namespace.client), element["id"] == question.id,
            element["type"] == "result" || element["type"] == "error",
            Self.isOfServer(element["from"], own: own)
        else { return nil }
        self.question = nil
        defer { waiting.removeFirst(question.count) }
        return Array(waiting.prefix(question.count))
    }

    /// Returns whether the server may send this address as its own (RFC 6120 section 8.1.2.1).
    private static func isOfServer(_ sender: String?, own: JID) -> Bool {
        guard let sender else { return true }
        return JID(sender).map { $0 == own.server || $0 == own.bare || $0 == own } ?? false
    }
}
