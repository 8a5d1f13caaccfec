// SPDX-License-Identifier: GPL-3.0-or-later

/// A roster item (RFC 6121 section 2).
struct RosterItem: Hashable, Sendable {
    enum Subscription: String, Sendable {
        case none
        /// We see the buddy's presence.
        case to
        /// The buddy sees our presence.
        case from
        case both
        /// The item is to be removed, or was removed.
        case remove
    }

    let jid: JID
    /// Our name for the buddy; empty if there is none.
    let name: String
    let subscription: Subscription
    /// Whether our request to see the buddy's presence is pending.
    let isAsked: Bool
    let groups: [String]

    init?(_ item: XMLElement) {
        guard item.isNamed("item", Roster.namespace), let jid = item["jid"].flatMap({ JID($0) }), jid.isBare,
            let subscription = Subscription(rawValue: item["subscription"] ?? "none")
        else { return nil }
        self.jid = jid
        self.subscription = subscription
        name = item["name"] ?? ""
        isAsked = item["ask"] == "subscribe"
        groups = item.children("group").map(\.text).filter { !$0.isEmpty }
    }
}

struct Roster: Hashable, Sendable {
    static let namespace = "jabber:iq:roster"

    /// The roster version; nil if the server has none.
    let version: String?
    let items: [RosterItem]

    /// Invalid items are skipped.
    init?(_ query: XMLElement) {
        guard query.isNamed("query", Self.namespace) else { return nil }
        version = query["ver"]
        items = query.children("item").compactMap { RosterItem($0) }
    }

    /// Reads a push, which only our own server may send (RFC 6121 section 2.1.6): others might add buddies.
    static func push(_ iq: IQ, own: JID) -> Roster? {
        guard iq.kind == .set, iq.from == nil || iq.from == own.bare, let query = iq.payload,
            let roster = Roster(query), roster.items.count == 1
        else { return nil }
        return roster
    }
}

extension XMPPClient {
    /// - Parameter version: The known version; nil to request the whole roster.
    /// - Returns: Nil if the known version is current.
    func roster(knowing version: String? = nil) async throws(RequestError) -> Roster? {
        let query = XMLElement("query", Roster.namespace, ["ver": version])
        guard let answer = try await request(.get, query) else { return nil }
        guard let roster = Roster(answer) else { throw .implausible }
        return roster
    }

    func setBuddy(_ jid: JID, name: String = "", groups: [String] = []) async throws(RequestError) {
        let item = XMLElement(
            "item", Roster.namespace, ["jid": jid.bare.description, "name": name.isEmpty ? nil : name],
            groups.map { XMLElement("group", Roster.namespace, text: $0) })
        _ = try await request(.set, XMLElement("query", Roster.namespace, [:], [item]))
    }

    /// Removes a buddy, and ends the presence subscriptions in both directions.
    func removeBuddy(_ jid: JID) async throws(RequestError) {
        let item = XMLElement(
            "item", Roster.namespace, ["jid": jid.bare.description, "subscription": "remove"])
        _ = try await request(.set, XMLElement("query", Roster.namespace, [:], [item]))
    }
}
