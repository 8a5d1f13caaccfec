// SPDX-License-Identifier: GPL-3.0-or-later

/// Delivery receipts (XEP-0184).
public enum Receipts {
    static let namespace = "urn:xmpp:receipts"

    public static var request: XMLElement { XMLElement("request", namespace) }

    /// Returns the id of the message that a receipt is for; nil if the message is not a receipt.
    public static func received(in message: Message) -> String? {
        message.extension(namespace, "received")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates the receipt for a message; returns nil if it requests none, or must not get one.
    ///
    /// The caller decides whether its sender may know that we are online (XEP-0184 section 8).
    public static func receipt(for message: Message) -> Message? {
        guard message.extension(namespace, "request") != nil, received(in: message) == nil,
            message.kind == .chat || message.kind == .normal, let id = message.id, let sender = message.from
        else { return nil }
        var receipt = receipt(for: id, to: sender)
        receipt.kind = message.kind
        return receipt
    }

    static func receipt(for id: String, to sender: JID) -> Message {
        Message(
            to: sender, extensions: [XMLElement("received", namespace, ["id": id]), ProcessingHints.store])
    }
}

/// Hints to the server about storing a message (XEP-0334).
enum ProcessingHints {
    static let namespace = "urn:xmpp:hints"
    static var store: XMLElement { XMLElement("store", namespace) }
    static var noStore: XMLElement { XMLElement("no-store", namespace) }
}
