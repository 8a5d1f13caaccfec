// SPDX-License-Identifier: GPL-3.0-or-later

/// A participant's state in a conversation (XEP-0085).
enum ChatState: String, Sendable, CaseIterable {
    /// The conversation is in view.
    case active
    case composing
    case paused
    case inactive
    /// The participant has left the conversation.
    case gone

    static let namespace = "http://jabber.org/protocol/chatstates"

    init?(in message: Message) {
        let state = message.extensions.first { $0.namespace == Self.namespace }
        guard let state, let value = ChatState(rawValue: state.name) else { return nil }
        self = value
    }

    var element: XMLElement { XMLElement(rawValue, Self.namespace) }

    func message(to jid: JID) -> Message {
        Message(to: jid, extensions: [element, ProcessingHints.noStore])
    }
}
