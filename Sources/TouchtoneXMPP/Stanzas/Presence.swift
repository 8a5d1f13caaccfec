// SPDX-License-Identifier: GPL-3.0-or-later

/// Presence, or a subscription request (RFC 6121 sections 3 and 4).
struct Presence: Hashable, Sendable {
    enum Kind: String, Sendable {
        case available
        case unavailable
        /// A request to see the recipient's presence.
        case subscribe
        case subscribed
        /// The end of a subscription to the recipient's presence.
        case unsubscribe
        /// The revocation or refusal of a subscription.
        case unsubscribed
        case probe
        case error
    }

    /// The availability of the sender, in the order of the roster.
    enum Show: String, Sendable, CaseIterable {
        case chat
        /// The user is online, without a more specific state.
        case online
        case away
        case extendedAway = "xa"
        case doNotDisturb = "dnd"
    }

    var kind: Kind
    /// The sender; nil for the user's account.
    let from: JID?
    /// The recipient; nil for all subscribers.
    var to: JID?
    var id: String?
    var show = Show.online
    var status = ""
    /// The priority of the device for messages; a device below zero receives none.
    var priority: Int8 = 0
    var extensions: [XMLElement] = []
    let error: StanzaError?

    init(
        _ kind: Kind = .available, to: JID? = nil, show: Show = .online, status: String = "",
        priority: Int8 = 0, extensions: [XMLElement] = []
    ) {
        (self.kind, self.to, from, error) = (kind, to, nil, nil)
        (self.show, self.status, self.priority, self.extensions) = (show, status, priority, extensions)
    }

    /// An invalid priority or `show` is ignored.
    init?(_ element: XMLElement) {
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

    var element: XMLElement {
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
