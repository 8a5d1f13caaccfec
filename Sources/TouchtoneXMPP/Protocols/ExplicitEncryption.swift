// SPDX-License-Identifier: GPL-3.0-or-later

/// The mark of an encrypted message (XEP-0380).
enum ExplicitEncryption {
    static let namespace = "urn:xmpp:eme:0"

    private static let names = [
        "eu.siacs.conversations.axolotl": omemo, "urn:xmpp:omemo:1": omemo, "urn:xmpp:omemo:2": omemo,
        "urn:xmpp:otr:0": "OTR", "jabber:x:encrypted": "Legacy OpenPGP",
        "urn:xmpp:openpgp:0": "OpenPGP for XMPP",
    ]
    private static let omemo = "OMEMO"

    /// Returns the name of a message’s encryption; nil if the message is not marked as encrypted, or has no text.
    ///
    /// The sender’s own name counts only for an unknown encryption, which otherwise has its namespace as its name.
    static func name(in message: Message) -> String? {
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
}
