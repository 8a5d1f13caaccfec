// SPDX-License-Identifier: GPL-3.0-or-later

/// Delivery receipts (XEP-0184).
enum Receipts {
    static let namespace = "urn:xmpp:receipts"

    static var request: XMLElement { XMLElement("request", namespace) }

    /// Returns the id of the message that a receipt is for; nil if the message is not a receipt.
    static func received(in message: Message) -> String? {
        message.extension(namespace, "received")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a receipt; the caller decides whether its recipient may know that we are online (XEP-0184 section 8).
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
    static var noCopy: XMLElement { XMLElement("no-copy", namespace) }
}
