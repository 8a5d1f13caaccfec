// SPDX-License-Identifier: GPL-3.0-or-later

/// A correction of the last message (XEP-0308).
enum Correction {
    static let namespace = "urn:xmpp:message-correct:0"

    static func element(of id: String) -> XMLElement { XMLElement("replace", namespace, ["id": id]) }

    /// Returns the id of the message that this one corrects; nil if it is not a correction.
    static func corrected(by message: Message) -> String? {
        message.extension(namespace, "replace")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
