// SPDX-License-Identifier: GPL-3.0-or-later

/// A message (RFC 6121 section 5).
public struct Message: Hashable, Sendable {
    /// What kind of talk it belongs to.
    public enum Kind: String, Sendable {
        /// Between two.
        case chat
        /// A single one.
        case normal
        /// In a room.
        case groupchat
        /// News, to which nobody answers.
        case headline
        /// One of ours came to nothing.
        case error
    }

    /// What kind of talk it belongs to.
    public var kind: Kind
    /// Who sent it; nil is the own account.
    public let from: JID?
    /// For whom it is; nil is the own account.
    public var to: JID?
    /// What its sender names it by.
    public var id: String?
    /// What is said; nil is nothing, and not the same as an empty text.
    public var body: String?
    /// What the talk is about; in a room, a change of it.
    public var subject: String?
    /// What ties messages to one talk.
    public var thread: String?
    /// What other protocols add.
    public var extensions: [XMLElement] = []
    /// Why a message of ours came to nothing.
    public let error: StanzaError?

    /// Creates one to be sent.
    public init(
        _ kind: Kind = .chat, to: JID?, id: String? = nil, body: String? = nil, extensions: [XMLElement] = []
    ) {
        self.kind = kind
        self.to = to
        self.id = id
        self.body = body
        self.extensions = extensions
        from = nil
        error = nil
    }

    /// Reads one; nil for what is none.
    public init?(_ element: XMLElement) {
        guard element.isNamed("message", Namespace.client), let addresses = Addresses(of: element) else {
            return nil
        }
        // An unknown kind is to be taken as normal (RFC 6121 section 5.2.2).
        kind = element["type"].flatMap { Kind(rawValue: $0) } ?? .normal
        from = addresses.from
        to = addresses.to
        id = element["id"]
        body = element.child("body")?.text
        subject = element.child("subject")?.text
        thread = element.child("thread")?.text
        extensions = element.children.filter { $0.namespace != Namespace.client }
        error = kind == .error ? StanzaError(in: element) : nil
    }

    /// The stanza as it is sent.
    public var element: XMLElement {
        let texts = [("subject", subject), ("body", body), ("thread", thread)].compactMap { name, text in
            text.map { XMLElement(name, Namespace.client, text: $0) }
        }
        return XMLElement(
            "message", Namespace.client,
            ["type": kind == .normal ? nil : kind.rawValue, "to": to?.description, "id": id],
            texts + extensions)
    }

    /// The first extension of a namespace and, where one is given, a name.
    public func `extension`(_ namespace: String, _ name: String? = nil) -> XMLElement? {
        extensions.first { $0.namespace == namespace && (name == nil || $0.name == name) }
    }
}
