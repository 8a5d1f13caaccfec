// SPDX-License-Identifier: GPL-3.0-or-later

/// A participant's state in a conversation (XEP-0085).
public enum ChatState: String, Sendable, CaseIterable {
    /// The conversation is in view.
    case active
    /// The participant is typing.
    case composing
    /// The participant has paused typing.
    case paused
    /// The participant is not active in the conversation.
    case inactive
    /// The participant has left the conversation.
    case gone

    static let namespace = "http://jabber.org/protocol/chatstates"

    /// Reads the state in a message; returns nil if there is none.
    public init?(in message: Message) {
        let state = message.extensions.first { $0.namespace == Self.namespace }
        guard let state, let value = ChatState(rawValue: state.name) else { return nil }
        self = value
    }

    /// The element to send.
    public var element: XMLElement { XMLElement(rawValue, Self.namespace) }

    /// Creates a message with only the state.
    public func message(to jid: JID) -> Message {
        Message(to: jid, extensions: [element, ProcessingHints.noStore])
    }
}
