// SPDX-License-Identifier: GPL-3.0-or-later

/// Read markers (XEP-0333).
enum ChatMarkers {
    static let namespace = "urn:xmpp:chat-markers:0"

    static var request: XMLElement { XMLElement("markable", namespace) }

    /// Returns the id of the last message that was read; nil if the message is not a marker.
    static func displayed(in message: Message) -> String? {
        message.extension(namespace, "displayed")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameter mark: How far the user has read, which the server takes out and keeps (XEP-0490); nil for nothing.
    static func displayed(_ id: String, to sender: JID, with mark: XMLElement? = nil) -> Message {
        let displayed = XMLElement("displayed", namespace, ["id": id])
        return Message(
            to: sender, extensions: [displayed] + (mark.map { [$0] } ?? []) + [ProcessingHints.store])
    }
}

/// Message ids that all recipients share (XEP-0359).
enum StableIDs {
    static let namespace = "urn:xmpp:sid:0"

    /// Returns the id that an archive assigned to a message.
    ///
    /// The caller must know that the archive assigns ids, because senders could forge them.
    static func id(in message: Message, by archive: JID) -> String? {
        message.extensions.first { element in
            element.isNamed("stanza-id", namespace) && element["by"].flatMap { JID($0) } == archive
        }?["id"]
    }

    static func origin(in message: Message) -> String? {
        message.extension(namespace, "origin-id")?["id"]
    }

    static func origin(_ id: String) -> XMLElement { XMLElement("origin-id", namespace, ["id": id]) }
}
