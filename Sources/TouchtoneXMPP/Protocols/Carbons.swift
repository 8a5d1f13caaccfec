// SPDX-License-Identifier: GPL-3.0-or-later

/// Copies of messages that the account's other devices receive and send (XEP-0280).
enum Carbons {
    static let namespace = "urn:xmpp:carbons:2"

    enum Reading: Hashable {
        case none
        /// A copy of a message that the account received.
        case received(Message, Timestamp?)
        /// A copy of a message that another device of the account sent.
        case sent(Message, Timestamp?)
        /// A forged or invalid carbon, with the reason.
        case invalid(String)
    }

    /// Classifies a message.
    ///
    /// Only the account itself may send carbons (XEP-0280 section 11): the sender is its bare address, which
    /// the server sets. The message inside must be to or from the account as well.
    static func read(_ message: Message, own: JID) -> Reading {
        guard let carbon = message.extensions.first(where: { $0.namespace == namespace }),
            carbon.name == "received" || carbon.name == "sent"
        else { return .none }
        guard message.from == nil || message.from == own.bare else {
            return .invalid("carbon from a different sender")
        }
        guard let inner = Forwarded(in: carbon) else { return .invalid("empty carbon") }
        if carbon.name == "sent" {
            guard inner.message.from?.bare == own.bare else {
                return .invalid("carbon of a different sender’s message")
            }
            return .sent(inner.message, inner.stamp)
        }
        guard inner.message.to?.bare == own.bare else {
            return .invalid("carbon to a different recipient")
        }
        return .received(inner.message, inner.stamp)
    }
}

extension XMPPClient {
    /// Enables copies of messages that other devices receive and send, for the rest of the stream.
    public func enableCarbons() async throws(RequestError) {
        _ = try await request(.set, XMLElement("enable", Carbons.namespace))
    }
}
