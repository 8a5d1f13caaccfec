// SPDX-License-Identifier: GPL-3.0-or-later

/// The block list (XEP-0191).
enum Blocking {
    static let namespace = "urn:xmpp:blocking"

    enum Change: Hashable, Sendable {
        case blocked([JID])
        case unblocked([JID])
        case unblockedAll
    }

    /// Reads a push, which only the account's own server may send; returns nil if it is not a valid one.
    static func push(_ iq: IQ, own: JID) -> Change? {
        guard iq.kind == .set, iq.from == nil || iq.from == own.bare, let payload = iq.payload,
            payload.namespace == namespace
        else { return nil }
        let jids = addresses(in: payload)
        switch payload.name {
        case "block": return jids.isEmpty ? nil : .blocked(jids)
        case "unblock":
            guard payload.children("item").isEmpty else { return jids.isEmpty ? nil : .unblocked(jids) }
            return .unblockedAll
        default: return nil
        }
    }

    static func addresses(in list: XMLElement) -> [JID] {
        list.children("item").compactMap { $0["jid"].flatMap { JID($0) } }
    }

    static func request(_ name: String, _ jids: [JID]) -> XMLElement {
        XMLElement(
            name, namespace, [:], jids.map { XMLElement("item", namespace, ["jid": $0.description]) })
    }
}

extension XMPPClient {
    func blockList() async throws(RequestError) -> [JID] {
        guard let list = try await request(.get, Blocking.request("blocklist", [])) else {
            throw .implausible
        }
        return Blocking.addresses(in: list)
    }

    func setBlocked(_ isBlocked: Bool, _ jid: JID) async throws(RequestError) {
        _ = try await request(.set, Blocking.request(isBlocked ? "block" : "unblock", [jid]))
    }
}
