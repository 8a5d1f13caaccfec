// SPDX-License-Identifier: GPL-3.0-or-later

/// The block list (XEP-0191).
public enum Blocking {
    static let namespace = "urn:xmpp:blocking"

    /// A change of the block list.
    public enum Change: Hashable, Sendable {
        /// These addresses are now blocked.
        case blocked([JID])
        /// These addresses are no longer blocked.
        case unblocked([JID])
        /// No address is blocked any more.
        case unblockedAll
    }

    /// Reads a change from a push; returns nil if it is not a valid one.
    ///
    /// Only the server of the user's account may send it.
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
    /// Requests the block list.
    public func blockList() async throws(RequestError) -> [JID] {
        guard let list = try await request(.get, Blocking.request("blocklist", [])) else {
            throw .implausible
        }
        return Blocking.addresses(in: list)
    }

    /// Blocks an address.
    public func block(_ jid: JID) async throws(RequestError) {
        _ = try await request(.set, Blocking.request("block", [jid]))
    }

    /// Unblocks an address.
    public func unblock(_ jid: JID) async throws(RequestError) {
        _ = try await request(.set, Blocking.request("unblock", [jid]))
    }
}
