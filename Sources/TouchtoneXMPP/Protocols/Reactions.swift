// SPDX-License-Identifier: GPL-3.0-or-later

/// The emoji with which somebody reacts to a message (XEP-0444).
struct Reactions {
    static let namespace = "urn:xmpp:reactions:0"
    /// The number of emoji that are read; of these, an annotation keeps those that it can use.
    private static let maximumEmoji = 64

    /// The ID of the other message: in a room, the one that the room assigned, and otherwise the one of its sender.
    let id: String
    /// The sender’s whole set, which replaces its earlier one.
    let emoji: [String]

    /// Reads the reactions of a message; returns nil if it has none, or the ID is empty or too long.
    init?(in message: Message) {
        guard let element = message.extension(Self.namespace, "reactions"),
            let id = element["id"].flatMap(MessageReader.bounded)
        else { return nil }
        self.id = id
        emoji = element.children("reaction", Self.namespace).prefix(Self.maximumEmoji).map {
            $0.text.filter { !$0.isWhitespace }
        }
    }

    static func element(of id: String, _ emoji: [String]) -> XMLElement {
        XMLElement(
            "reactions", namespace, ["id": id], emoji.map { XMLElement("reaction", namespace, text: $0) })
    }
}
