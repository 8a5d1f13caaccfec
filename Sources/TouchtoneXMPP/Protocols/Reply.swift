// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The statement that a message replies to another one (XEP-0461).
struct Reply {
    static let namespace = MessageContent.replies

    /// The ID of the other message: in a room, the one that the room assigned, and otherwise the one of its sender.
    let id: String
    /// The author of the other message; nil if it is not stated, or is no address.
    let author: JID?

    /// Reads the statement of a message; returns nil if it makes none, or the ID is empty or too long.
    init?(in message: Message) {
        guard let element = message.extension(Self.namespace, "reply"),
            let id = element["id"].flatMap(MessageReader.bounded)
        else { return nil }
        self.id = id
        author = element["to"].flatMap { JID($0) }
    }

    /// Returns the statement, and the mark of the quotation in the body for clients that do not know it.
    ///
    /// A message that was corrected without its quotation has no mark.
    static func elements(_ reply: MessageReply, _ content: MessageContent) -> [XMLElement] {
        [XMLElement("reply", namespace, ["to": reply.author?.text, "id": reply.original.id])]
            + content.fallbacks.filter { $0.namespace == namespace }.map(FallbackIndication.element)
    }
}

extension MessageReference {
    var id: String {
        switch self {
        case .stanza(let id), .archive(let id): id
        }
    }
}
