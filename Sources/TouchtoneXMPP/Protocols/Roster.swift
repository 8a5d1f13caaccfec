// SPDX-License-Identifier: GPL-3.0-or-later

/// A buddy, as the account's server keeps it (RFC 6121 section 2).
public struct RosterItem: Hashable, Sendable {
    /// Who is told of whose presence.
    public enum Subscription: String, Sendable {
        /// Nobody.
        case none
        /// We, of theirs.
        case to
        /// They, of ours.
        case from
        /// Both.
        case both
        /// The buddy is to be removed, or was.
        case remove
    }

    /// Its bare address.
    public let jid: JID
    /// What we call it; empty is its address.
    public let name: String
    /// Who is told of whose presence.
    public let subscription: Subscription
    /// Whether we have asked to be told of its presence, and it has not answered.
    public let isAsked: Bool
    /// Where it is sorted in.
    public let groups: [String]

    /// Reads an item; nil for what is none.
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

/// The list of buddies.
public struct Roster: Hashable, Sendable {
    static let namespace = "jabber:iq:roster"

    /// What names this state of the list; nil if the server names none.
    public let version: String?
    /// The buddies.
    public let items: [RosterItem]

    /// Reads a list; nil for what is none.
    ///
    /// Items that make no sense are left out.
    init?(_ query: XMLElement) {
        guard query.isNamed("query", Self.namespace) else { return nil }
        version = query["ver"]
        items = query.children("item").compactMap { RosterItem($0) }
    }

    /// Reads a change that the server tells of.
    ///
    /// Only the own account's server may (section 2.1.6): anyone else could put buddies in the list.
    static func push(_ iq: IQ, own: JID) -> Roster? {
        guard iq.kind == .set, iq.from == nil || iq.from == own.bare, let query = iq.payload,
            let roster = Roster(query), roster.items.count == 1
        else { return nil }
        return roster
    }
}

extension XMPPClient {
    /// The list of buddies.
    ///
    /// - Parameter version: the state that is known; where it is still the one, the answer is nil.
    public func roster(knowing version: String? = nil) async throws(RequestError) -> Roster? {
        let query = XMLElement("query", Roster.namespace, ["ver": version])
        guard let answer = try await request(.get, query) else { return nil }
        guard let roster = Roster(answer) else { throw .implausible }
        return roster
    }

    /// Adds a buddy, or changes what it is called and where it is sorted in.
    public func setBuddy(_ jid: JID, name: String = "", groups: [String] = []) async throws(RequestError) {
        let item = XMLElement(
            "item", Roster.namespace, ["jid": jid.bare.description, "name": name.isEmpty ? nil : name],
            groups.map { XMLElement("group", Roster.namespace, text: $0) })
        _ = try await request(.set, XMLElement("query", Roster.namespace, [:], [item]))
    }

    /// Removes a buddy, and ends all telling of presence.
    public func removeBuddy(_ jid: JID) async throws(RequestError) {
        let item = XMLElement(
            "item", Roster.namespace, ["jid": jid.bare.description, "subscription": "remove"])
        _ = try await request(.set, XMLElement("query", Roster.namespace, [:], [item]))
    }
}
