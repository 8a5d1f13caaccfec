// SPDX-License-Identifier: GPL-3.0-or-later

/// A way into another network (XEP-0100): a number becomes an address there.
public enum Gateway {
    static let namespace = "jabber:iq:gateway"
}

extension XMPPClient {
    /// The address by which a gateway knows somebody of its network.
    ///
    /// - Parameter name: as that network has it, such as a telephone number.
    public func address(of name: String, at gateway: JID) async throws(RequestError) -> JID {
        let prompt = XMLElement("prompt", Gateway.namespace, text: name)
        let answer = try await request(
            .set, to: gateway, XMLElement("query", Gateway.namespace, [:], [prompt]))
        // Old gateways put the address into the prompt. One of another domain would be a diversion.
        let text =
            answer?.child("jid", Gateway.namespace)?.text ?? answer?.child("prompt", Gateway.namespace)?.text
        guard let jid = text.flatMap({ JID($0) }), jid.domain == gateway.domain else { throw .implausible }
        return jid
    }
}
