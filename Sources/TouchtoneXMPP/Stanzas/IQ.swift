// SPDX-License-Identifier: GPL-3.0-or-later

/// A request or a response (RFC 6120 section 8.2.3).
struct IQ: Hashable, Sendable {
    /// The greatest length of an id in bytes: a response repeats it, and servers end the stream over a large stanza.
    static let maximumIDLength = 1024

    enum Kind: String, Sendable {
        case get
        case set
        case result
        case error
    }

    let kind: Kind
    let id: String
    /// The recipient; nil for the user's account.
    let to: JID?
    /// The sender; nil for the server on behalf of the user's account.
    let from: JID?
    /// The payload; a response may have none.
    let payload: XMLElement?
    let error: StanzaError?

    init(_ kind: Kind, id: String, to: JID? = nil, _ payload: XMLElement? = nil, error: StanzaError? = nil) {
        (self.kind, self.id, self.to, from) = (kind, id, to, nil)
        (self.payload, self.error) = (payload, error)
    }

    init?(_ element: XMLElement) {
        guard element.isNamed("iq", Namespace.client), let id = element["id"], !id.isEmpty,
            id.utf8.count <= Self.maximumIDLength, let kind = element["type"].flatMap({ Kind(rawValue: $0) }),
            let addresses = Addresses(of: element)
        else { return nil }
        self.kind = kind
        self.id = id
        to = addresses.to
        from = addresses.from
        payload = element.children.first { !$0.isNamed("error", Namespace.client) }
        error = kind == .error ? StanzaError(in: element) : nil
        // A request has exactly one payload.
        if kind == .get || kind == .set, payload == nil || element.children.count != 1 { return nil }
    }

    var element: XMLElement {
        XMLElement(
            "iq", Namespace.client, ["type": kind.rawValue, "id": id, "to": to?.description],
            [payload, error?.element].compactMap { $0 })
    }

    func result(_ payload: XMLElement? = nil) -> IQ { IQ(.result, id: id, to: from, payload) }

    func refusal(_ error: StanzaError) -> IQ { IQ(.error, id: id, to: from, error: error) }
}

struct Addresses {
    let to: JID?
    let from: JID?

    /// Reads the addresses; returns nil if one is invalid.
    init?(of element: XMLElement) {
        to = element["to"].flatMap { JID($0) }
        from = element["from"].flatMap { JID($0) }
        if to == nil, element["to"] != nil { return nil }
        if from == nil, element["from"] != nil { return nil }
    }
}
