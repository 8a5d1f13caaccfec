// SPDX-License-Identifier: GPL-3.0-or-later

/// A gateway to a different network (XEP-0100), which translates that network's names to addresses.
public enum Gateway {
    static let namespace = "jabber:iq:gateway"
}

extension XMPPClient {
    /// Requests the address that a gateway assigns to a name in its network.
    ///
    /// - Parameters:
    ///   - name: The name in that network, such as a telephone number.
    ///   - gateway: The address of the gateway.
    /// - Throws: `RequestError`; `.implausible` for an address of a different domain.
    public func address(of name: String, at gateway: JID) async throws(RequestError) -> JID {
        let prompt = XMLElement("prompt", Gateway.namespace, text: name)
        let answer = try await request(
            .set, to: gateway, XMLElement("query", Gateway.namespace, [:], [prompt]))
        // Old gateways return the address in the prompt. An address of a different domain would divert messages.
        let text =
            answer?.child("jid", Gateway.namespace)?.text ?? answer?.child("prompt", Gateway.namespace)?.text
        guard let jid = text.flatMap({ JID($0) }), jid.domain == gateway.domain else { throw .implausible }
        return jid
    }
}
