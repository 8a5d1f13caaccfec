// SPDX-License-Identifier: GPL-3.0-or-later

/// The mark of an encrypted message (XEP-0380), which older clients leave out.
enum ExplicitEncryption {
    static let namespace = "urn:xmpp:eme:0"

    private static let names = [
        "eu.siacs.conversations.axolotl": omemo, "urn:xmpp:omemo:1": omemo, "urn:xmpp:omemo:2": omemo,
        "urn:xmpp:otr:0": "OTR", legacy: "Legacy OpenPGP", current: "OpenPGP for XMPP",
    ]
    private static let omemo = "OMEMO"
    private static let (legacy, current) = ("jabber:x:encrypted", "urn:xmpp:openpgp:0")

    /// Returns the name of a message’s encryption; nil if the message is not encrypted, or has no text.
    ///
    /// The sender’s own name counts only for an unknown encryption, which otherwise has its namespace as its name.
    static func name(in message: Message) -> String? {
        mark(in: message) ?? message.extensions.compactMap(payload).min()
    }

    private static func mark(in message: Message) -> String? {
        guard let mark = message.extension(namespace, "encryption"), let method = mark["namespace"],
            !method.isEmpty
        else { return nil }
        if let name = names[method] { return name == omemo && exchangesKeys(message) ? nil : name }
        let name = mark["name"] ?? ""
        return name.isEmpty ? method : name
    }

    /// Returns whether a message of OMEMO has only keys for the devices, and nothing to read (XEP-0384).
    private static func exchangesKeys(_ message: Message) -> Bool {
        message.extensions.contains {
            names[$0.namespace] == omemo && $0.name == "encrypted" && $0.child("payload") == nil
        }
    }

    /// Returns the name of the encryption of an element with an encrypted text (XEP-0384, XEP-0373, XEP-0027).
    private static func payload(_ element: XMLElement) -> String? {
        guard let name = names[element.namespace] else { return nil }
        return switch (element.name, element.namespace) {
        case ("encrypted", _) where name == omemo && element.child("payload") != nil: name
        case ("openpgp", current), ("x", legacy): element.text.isEmpty ? nil : name
        default: nil
        }
    }
}
