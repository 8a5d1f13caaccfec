// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody is doing in a talk (XEP-0085).
public enum ChatState: String, Sendable, CaseIterable {
    /// Looks at it.
    case active
    /// Writes.
    case composing
    /// Has stopped writing, for now.
    case paused
    /// Does something else.
    case inactive
    /// Has left.
    case gone

    static let namespace = "http://jabber.org/protocol/chatstates"

    /// The state in a message; nil where there is none.
    public init?(in message: Message) {
        let state = message.extensions.first { $0.namespace == Self.namespace }
        guard let state, let value = ChatState(rawValue: state.name) else { return nil }
        self = value
    }

    /// The state as it is sent.
    public var element: XMLElement { XMLElement(rawValue, Self.namespace) }

    /// A message that tells the state and nothing else.
    public func message(to jid: JID) -> Message {
        Message(to: jid, extensions: [element, ProcessingHints.noStore])
    }
}
