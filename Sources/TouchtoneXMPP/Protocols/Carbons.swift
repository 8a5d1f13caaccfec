// SPDX-License-Identifier: GPL-3.0-or-later

/// Copies of what the account's other devices get and send (XEP-0280).
enum Carbons {
    static let namespace = "urn:xmpp:carbons:2"

    /// What a message turns out to be.
    enum Reading: Hashable {
        /// No carbon.
        case none
        /// One of a message that came to the account.
        case received(Message, Timestamp?)
        /// One of a message that another device of the account sent.
        case sent(Message, Timestamp?)
        /// A forgery, or nonsense.
        case invalid(String)
    }

    /// Reads a message.
    ///
    /// Only the own account may tell us what it got and sent (section 11): its bare address, which the server puts
    /// there. What is inside has to be to or from that account, too.
    static func read(_ message: Message, own: JID) -> Reading {
        guard let carbon = message.extensions.first(where: { $0.namespace == namespace }),
            carbon.name == "received" || carbon.name == "sent"
        else { return .none }
        guard message.from == nil || message.from == own.bare else {
            return .invalid("a carbon from another")
        }
        guard let inner = Forwarded(in: carbon) else { return .invalid("a carbon of nothing") }
        if carbon.name == "sent" {
            guard inner.message.from?.bare == own.bare else {
                return .invalid("a carbon of another's message")
            }
            return .sent(inner.message, inner.stamp)
        }
        guard inner.message.to?.bare == own.bare else { return .invalid("a carbon of a message to another") }
        return .received(inner.message, inner.stamp)
    }
}

extension XMPPClient {
    /// Has the server send copies of what other devices get and send, for as long as the stream lasts.
    public func enableCarbons() async throws(RequestError) {
        _ = try await request(.set, XMLElement("enable", Carbons.namespace))
    }
}
