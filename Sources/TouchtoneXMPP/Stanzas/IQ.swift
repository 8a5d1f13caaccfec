// SPDX-License-Identifier: GPL-3.0-or-later

/// A question, or the answer to one (RFC 6120 section 8.2.3).
public struct IQ: Hashable, Sendable {
    /// Which of the four.
    public enum Kind: String, Sendable {
        /// Asks for something.
        case get
        /// Asks to have something changed.
        case set
        /// Answers.
        case result
        /// Answers that it came to nothing.
        case error
    }

    /// Which of the four.
    public let kind: Kind
    /// What an answer names its question by.
    public let id: String
    /// Who is meant; nil is the own account.
    public let to: JID?
    /// Who sent it; nil is the own account's server on its behalf.
    public let from: JID?
    /// What it is about; an answer may have none.
    public let payload: XMLElement?
    /// Why it came to nothing, in an answer of the kind `error`.
    public let error: StanzaError?

    /// Creates a question or an answer.
    public init(
        _ kind: Kind, id: String, to: JID? = nil, _ payload: XMLElement? = nil, error: StanzaError? = nil
    ) {
        self.kind = kind
        self.id = id
        self.to = to
        self.payload = payload
        self.error = error
        from = nil
    }

    /// Reads one; nil for what is none.
    public init?(_ element: XMLElement) {
        guard element.isNamed("iq", Namespace.client), let id = element["id"], !id.isEmpty,
            let kind = element["type"].flatMap({ Kind(rawValue: $0) }), let addresses = Addresses(of: element)
        else { return nil }
        self.kind = kind
        self.id = id
        to = addresses.to
        from = addresses.from
        payload = element.children.first { !$0.isNamed("error", Namespace.client) }
        error = kind == .error ? StanzaError(in: element) : nil
        // A question is about one thing.
        if kind == .get || kind == .set, payload == nil || element.children.count != 1 { return nil }
    }

    /// The stanza as it is sent.
    public var element: XMLElement {
        XMLElement(
            "iq", Namespace.client, ["type": kind.rawValue, "id": id, "to": to?.description],
            [payload, error?.element].compactMap { $0 })
    }

    /// The answer to a question.
    public func result(_ payload: XMLElement? = nil) -> IQ { IQ(.result, id: id, to: from, payload) }

    /// The answer to a question that can't be answered.
    public func refusal(_ error: StanzaError) -> IQ { IQ(.error, id: id, to: from, error: error) }
}

/// From whom and for whom a stanza is.
struct Addresses {
    let to: JID?
    let from: JID?

    /// Reads them; nil if one is there that is no address.
    init?(of element: XMLElement) {
        to = element["to"].flatMap { JID($0) }
        from = element["from"].flatMap { JID($0) }
        if to == nil, element["to"] != nil { return nil }
        if from == nil, element["from"] != nil { return nil }
    }
}
