// SPDX-License-Identifier: GPL-3.0-or-later

/// Who is there, and who wants to know (RFC 6121 sections 3 and 4).
public struct Presence: Hashable, Sendable {
    /// What a presence is for.
    public enum Kind: String, Sendable {
        /// Somebody is there.
        case available
        /// Somebody is not.
        case unavailable
        /// Asks to be told of presence.
        case subscribe
        /// Allows that.
        case subscribed
        /// Wants to be told no more.
        case unsubscribe
        /// Allows it no more.
        case unsubscribed
        /// A server's question.
        case probe
        /// It came to nothing.
        case error
    }

    /// How much somebody is there; the more, the sooner in the list.
    public enum Show: String, Sendable, CaseIterable {
        /// Wants to chat.
        case chat
        /// Is there, as one is who says nothing more.
        case online
        /// Is away.
        case away
        /// Is away for longer.
        case extendedAway = "xa"
        /// Does not want to be disturbed.
        case doNotDisturb = "dnd"
    }

    /// What it is for.
    public var kind: Kind
    /// Who sent it.
    public let from: JID?
    /// For whom it is; nil is everyone who may know.
    public var to: JID?
    /// What names it, where it matters.
    public var id: String?
    /// How much somebody is there.
    public var show = Show.online
    /// Own words.
    public var status = ""
    /// Which device gets messages: the highest, and none below zero.
    public var priority: Int8 = 0
    /// What other protocols add.
    public var extensions: [XMLElement] = []
    /// Why it came to nothing.
    public let error: StanzaError?

    /// Creates one to be sent.
    public init(
        _ kind: Kind = .available, to: JID? = nil, show: Show = .online, status: String = "",
        priority: Int8 = 0,
        extensions: [XMLElement] = []
    ) {
        self.kind = kind
        self.to = to
        self.show = show
        self.status = status
        self.priority = priority
        self.extensions = extensions
        from = nil
        error = nil
    }

    /// Reads one; nil for what is none.
    ///
    /// A priority or a `show` that is none counts as not there.
    public init?(_ element: XMLElement) {
        guard element.isNamed("presence", Namespace.client), let addresses = Addresses(of: element) else {
            return nil
        }
        switch element["type"] {
        case nil: kind = .available
        case "available"?: return nil
        case let type?:
            guard let known = Kind(rawValue: type) else { return nil }
            kind = known
        }
        from = addresses.from
        to = addresses.to
        id = element["id"]
        show = (element.child("show")?.text).flatMap { Show(rawValue: $0) } ?? .online
        status = element.child("status")?.text ?? ""
        priority = (element.child("priority")?.text).flatMap { Int8($0) } ?? 0
        extensions = element.children.filter { $0.namespace != Namespace.client }
        error = kind == .error ? StanzaError(in: element) : nil
    }

    /// The stanza as it is sent.
    public var element: XMLElement {
        var children: [XMLElement] = []
        if show != .online { children.append(XMLElement("show", Namespace.client, text: show.rawValue)) }
        if !status.isEmpty { children.append(XMLElement("status", Namespace.client, text: status)) }
        if priority != 0 { children.append(XMLElement("priority", Namespace.client, text: "\(priority)")) }
        return XMLElement(
            "presence", Namespace.client,
            ["type": kind == .available ? nil : kind.rawValue, "to": to?.description, "id": id],
            children + extensions)
    }
}
