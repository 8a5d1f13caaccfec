// SPDX-License-Identifier: GPL-3.0-or-later

/// A server's offer to sign in with the steps that usually follow, in one request (XEP-0388).
struct SASL2Offer: Hashable, Sendable {
    static let namespace = "urn:xmpp:sasl:2"
    static let bind = "urn:xmpp:bind:0"
    static let token = "urn:xmpp:fast:0"

    let mechanisms: [String]
    /// The mechanisms for tokens (XEP-0484).
    let tokenMechanisms: [String]
    /// The features that can be enabled while a resource is bound (XEP-0386); nil if none can be bound.
    let bindFeatures: Set<String>?
    /// Whether a stream can be resumed (XEP-0198).
    let resumes: Bool

    init?(_ features: XMLElement) {
        guard let offer = features.child("authentication", Self.namespace) else { return nil }
        let inline = offer.child("inline")
        mechanisms = offer.children("mechanism").map(\.text)
        tokenMechanisms = inline?.child("fast", Self.token)?.children("mechanism").map(\.text) ?? []
        bindFeatures = inline?.child("bind", Self.bind).map { bind in
            Set(bind.child("inline")?.children("feature").compactMap { $0["var"] } ?? [])
        }
        resumes = inline?.child("sm", Namespace.management) != nil
    }
}

/// A request to sign in, with the steps that follow in the same round trip.
struct SASL2Request {
    /// The program's name, which the server may make part of the device's address.
    private static let software = "Touchtone"

    let offer: SASL2Offer
    /// A random UUID by which the server recognizes this installation.
    let deviceID: String
    /// The request to resume a stream; nil for none.
    var resumption: XMLElement?
    /// Whether a resource is bound, unless the stream is resumed.
    var binds = false
    var isActive = true
    /// The mechanism of a token to request; nil for none.
    var wanted: TokenMechanism?

    /// Whether the server learns of the user's absence with this request.
    var saysInactive: Bool { binds && !isActive && offers(Namespace.clientState) }

    func offers(_ feature: String) -> Bool { offer.bindFeatures?.contains(feature) == true }

    /// Returns the element that starts the exchange.
    ///
    /// - Parameter tokenCount: The number of this use of a token; nil to sign in without one.
    func element(mechanism: String, initial: [UInt8], tokenCount: Int? = nil) -> XMLElement {
        let namespace = SASL2Offer.namespace
        var element = XMLElement(
            "authenticate", namespace, ["mechanism": mechanism],
            [
                XMLElement("initial-response", namespace, text: Base64.encode(initial)),
                XMLElement(
                    "user-agent", namespace, ["id": deviceID],
                    [XMLElement("software", namespace, text: Self.software)]),
            ])
        if let resumption { element.append(resumption) }
        if binds { element.append(bind) }
        if let tokenCount {
            element.append(XMLElement("fast", SASL2Offer.token, ["count": "\(tokenCount)"]))
        } else if let wanted {
            element.append(XMLElement("request-token", SASL2Offer.token, ["mechanism": wanted.rawValue]))
        }
        return element
    }

    private var bind: XMLElement {
        var bind = XMLElement(
            "bind", SASL2Offer.bind, [:], [XMLElement("tag", SASL2Offer.bind, text: Self.software)])
        if offers(Carbons.namespace) { bind.append(XMLElement("enable", Carbons.namespace)) }
        if offers(Namespace.management) {
            bind.append(XMLElement("enable", Namespace.management, ["resume": "true"]))
        }
        if saysInactive { bind.append(XMLElement("inactive", Namespace.clientState)) }
        return bind
    }
}

/// The server's answer to an accepted request.
struct SASL2Success {
    /// The address that the account has now; with a resource if one was bound, or the stream resumed.
    let jid: JID
    let bound: XMLElement?
    let resumed: XMLElement?
    /// The refusal to resume the stream.
    let notResumed: XMLElement?
    let token: IssuedToken?

    /// A token as the server issues it.
    struct IssuedToken: Hashable {
        let text: String
        let expiry: Timestamp
    }

    /// Returns nil if an element is missing, or there are two of one.
    init?(_ element: XMLElement) {
        let parts = [
            ("authorization-identifier", SASL2Offer.namespace), ("bound", SASL2Offer.bind),
            ("resumed", Namespace.management), ("failed", Namespace.management), ("token", SASL2Offer.token),
        ].map { element.children($0, $1) }
        guard parts.allSatisfy({ $0.count < 2 }), let jid = parts[0].first.flatMap({ JID($0.text) }) else {
            return nil
        }
        self.jid = jid
        (bound, resumed, notResumed) = (parts[1].first, parts[2].first, parts[3].first)
        guard resumed == nil || bound == nil && notResumed == nil else { return nil }
        token = parts[4].first.flatMap { token in
            guard let text = token["token"], SignInToken.isUsable(text),
                let expiry = token["expiry"].flatMap({ Timestamp($0) })
            else { return nil }
            return IssuedToken(text: text, expiry: expiry)
        }
    }
}
