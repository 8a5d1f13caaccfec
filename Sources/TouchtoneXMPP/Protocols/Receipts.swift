// SPDX-License-Identifier: GPL-3.0-or-later

/// Word that a message has arrived (XEP-0184).
public enum Receipts {
    static let namespace = "urn:xmpp:receipts"

    /// What asks for a receipt.
    public static var request: XMLElement { XMLElement("request", namespace) }

    /// The name of the message that a receipt is for; nil for what is no receipt.
    public static func received(in message: Message) -> String? {
        message.extension(namespace, "received")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The receipt for a message; nil if it asks for none, or can't have one.
    ///
    /// Whether its sender may know that we are there is for the caller to decide (section 8).
    public static func receipt(for message: Message) -> Message? {
        guard message.extension(namespace, "request") != nil, received(in: message) == nil,
            message.kind == .chat || message.kind == .normal, let id = message.id, let sender = message.from
        else { return nil }
        var receipt = receipt(for: id, to: sender)
        receipt.kind = message.kind
        return receipt
    }

    /// The receipt for the message of that name.
    static func receipt(for id: String, to sender: JID) -> Message {
        Message(
            to: sender, extensions: [XMLElement("received", namespace, ["id": id]), ProcessingHints.store])
    }
}

/// What a server is to do with a message (XEP-0334).
enum ProcessingHints {
    static let namespace = "urn:xmpp:hints"
    static var store: XMLElement { XMLElement("store", namespace) }
    static var noStore: XMLElement { XMLElement("no-store", namespace) }
}
