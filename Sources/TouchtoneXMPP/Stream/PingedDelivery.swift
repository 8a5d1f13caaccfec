// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages sent on a stream without stream management, until the server proves that it has them.
///
/// A server handles the stanzas of a stream in order (RFC 6120 section 10.1): with the answer to a ping (XEP-0199) it has
/// all that was sent before the ping. A connection takes what is written to it long after the other side is gone.
struct PingedDelivery {
    /// The greatest number of stanzas that wait; what is sent beyond is refused.
    static let maximumWaiting = StreamManagement.maximumWaiting

    /// The stanzas without proof, the oldest first: each message, and what was sent behind one.
    private(set) var waiting: [XMLElement] = []
    /// The name of the ping under way, and how many of the stanzas were sent before it.
    private var question: (id: String, count: Int)?

    /// Notes a stanza that goes out; false if too many wait.
    mutating func send(_ stanza: XMLElement) -> Bool {
        // Questions have answers of their own, and presence is told anew on each stream.
        guard stanza.name == "message" || !waiting.isEmpty else { return true }
        guard waiting.count < Self.maximumWaiting else { return false }
        waiting.append(stanza)
        return true
    }

    /// Makes a ping that stands for all that was sent before; nil while one is under way.
    mutating func ping(to server: JID) -> XMLElement? {
        guard question == nil else { return nil }
        let id = RandomText.make(16)
        question = (id, waiting.count)
        return IQ(.get, id: id, to: server, Ping.element).element
    }

    /// Takes what came; gives the stanzas that the server now has, or nil if it is no answer to the ping.
    ///
    /// A server without pings answers with an error, which proves as much.
    mutating func take(_ element: XMLElement, own: JID) -> [XMLElement]? {
        guard let question, element.isNamed("iq", Namespace.client), element["id"] == question.id,
            element["type"] == "result" || element["type"] == "error",
            Self.isOfServer(element["from"], own: own)
        else { return nil }
        self.question = nil
        defer { waiting.removeFirst(question.count) }
        return Array(waiting.prefix(question.count))
    }

    /// Whether the server may sign so: with its own address, the account's, or none (RFC 6120 section 8.1.2.1).
    private static func isOfServer(_ sender: String?, own: JID) -> Bool {
        guard let sender else { return true }
        return JID(sender).map { $0 == own.server || $0 == own.bare || $0 == own } ?? false
    }
}
