// SPDX-License-Identifier: GPL-3.0-or-later

/// Copies of messages that the account's other devices receive and send (XEP-0280).
enum Carbons {
    static let namespace = "urn:xmpp:carbons:2"
    /// The element of a message that only its recipient gets (XEP-0280 section 8).
    static var exclusion: XMLElement { XMLElement("private", namespace) }

    /// Classifies a message; returns nil if it is not a carbon.
    ///
    /// Only the account itself may send carbons (XEP-0280 section 11): the sender is its bare address, which
    /// the server sets. The message inside must be to or from the account as well.
    static func read(_ message: Message, own: JID) -> InboundStanza? {
        guard let carbon = message.extensions.first(where: { $0.namespace == namespace }),
            carbon.name == "received" || carbon.name == "sent"
        else { return nil }
        guard message.from == nil || message.from == own.bare else {
            return .dropped("carbon from a different sender")
        }
        guard let inner = Forwarded(in: carbon) else { return .dropped("empty carbon") }
        if carbon.name == "sent" {
            guard inner.message.from?.bare == own.bare else {
                return .dropped("carbon of a different sender’s message")
            }
            return .sentElsewhere(inner.message, inner.stamp)
        }
        guard inner.message.to?.bare == own.bare else {
            return .dropped("carbon to a different recipient")
        }
        return .message(inner.message, inner.stamp)
    }
}

extension XMPPClient {
    /// Enables copies of messages that other devices receive and send, for the rest of the stream.
    func enableCarbons() async throws(RequestError) {
        _ = try await request(.set, XMLElement("enable", Carbons.namespace))
    }
}
