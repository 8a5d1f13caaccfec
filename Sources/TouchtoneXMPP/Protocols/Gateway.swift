// SPDX-License-Identifier: GPL-3.0-or-later

/// A gateway to a different network (XEP-0100), which translates that network's names to addresses.
enum Gateway {
    static let namespace = "jabber:iq:gateway"
    static let category = "gateway"

    /// The types of gateways to the telephone network, which are preferred.
    private static let telephoneTypes: Set = ["sms", "pstn", "phone", "tel"]
    /// The types of gateways to networks that have no telephone numbers (XMPP registrar, service discovery identities).
    private static let otherTypes: Set = [
        "aim", "discord", "facebook", "gadu-gadu", "http-ws", "icq", "irc", "lcs", "mattermost", "mrim",
        "msn",
        "myspaceim", "ocs", "qq", "sametime", "skype", "slack", "smtp", "steam", "tlen", "xfire", "xmpp",
        "yahoo",
    ]

    /// Returns how well an entity suits telephone numbers: 0 is the best; nil if it is not such a gateway.
    static func rank(_ info: DiscoInfo) -> Int? {
        let types = info.identities.filter { $0.category == category }.map { $0.type.lowercased() }
        if types.contains(where: telephoneTypes.contains) { return 0 }
        return types.contains { !otherTypes.contains($0) } ? 1 : nil
    }

    /// Whether an entity carries calls to telephone numbers: it says so (Cheogram), or takes calls as a telephone does.
    static func carriesCalls(_ info: DiscoInfo) -> Bool {
        info.identities.contains { $0.category == category && $0.type.lowercased() == "pstn" }
            || info.identities.contains { ["phone", "sip"].contains($0.type.lowercased()) }
                && info.features.isSuperset(of: JabberCalls.features)
    }
}

extension XMPPClient {
    /// Requests the address that a gateway assigns to a name in its network, such as a telephone number.
    ///
    /// - Throws: `RequestError`; `.implausible` for an address of a different domain, and for the gateway's own.
    func address(of name: String, at gateway: JID) async throws(RequestError) -> JID {
        let prompt = XMLElement("prompt", Gateway.namespace, text: name)
        let answer = try await request(
            .set, to: gateway, XMLElement("query", Gateway.namespace, [:], [prompt]))
        // Old gateways return the address in the prompt. An address of a different domain would divert messages.
        let text =
            answer?.child("jid", Gateway.namespace)?.text ?? answer?.child("prompt", Gateway.namespace)?.text
        guard let jid = text.flatMap({ JID($0) })?.bare, jid.domain == gateway.domain, !jid.local.isEmpty
        else {
            throw .implausible
        }
        return jid
    }
}
