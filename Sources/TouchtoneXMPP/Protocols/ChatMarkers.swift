// SPDX-License-Identifier: GPL-3.0-or-later

/// How far somebody has read (XEP-0333).
public enum ChatMarkers {
    static let namespace = "urn:xmpp:chat-markers:0"

    /// What asks to be told how far.
    public static var request: XMLElement { XMLElement("markable", namespace) }

    /// The name of the last message that was read; nil for what does not say.
    public static func displayed(in message: Message) -> String? {
        message.extension(namespace, "displayed")?["id"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Tells the sender of a message that it was read; nil if the sender does not want to know.
    public static func displayed(_ message: Message) -> Message? {
        guard message.extension(namespace, "markable") != nil, message.kind != .error,
            let sender = message.from,
            // In a room it is the room's name for the message that all know.
            let id = message.kind == .groupchat ? StableIDs.id(in: message, by: sender.bare) : message.id
        else { return nil }
        var marker = displayed(id, to: message.kind == .groupchat ? sender.bare : sender)
        marker.kind = message.kind
        return marker
    }

    /// Tells that the message of that name was read.
    static func displayed(_ id: String, to sender: JID) -> Message {
        Message(
            to: sender, extensions: [XMLElement("displayed", namespace, ["id": id]), ProcessingHints.store])
    }
}

/// Names of messages that all who get them share (XEP-0359).
public enum StableIDs {
    static let namespace = "urn:xmpp:sid:0"

    /// The name that an archive gave a message.
    ///
    /// - Parameter archive: whose; the caller has to know that it gives such names, for senders could make them up.
    public static func id(in message: Message, by archive: JID) -> String? {
        message.extensions.first { element in
            element.isNamed("stanza-id", namespace) && element["by"].flatMap { JID($0) } == archive
        }?["id"]
    }

    /// The name that the sender's device gave a message.
    public static func origin(in message: Message) -> String? {
        message.extension(namespace, "origin-id")?["id"]
    }

    /// What names a message for its sender's own use.
    public static func origin(_ id: String) -> XMLElement { XMLElement("origin-id", namespace, ["id": id]) }
}
