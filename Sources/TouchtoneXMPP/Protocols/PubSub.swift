// SPDX-License-Identifier: GPL-3.0-or-later

/// What accounts publish (XEP-0060, XEP-0163): avatars, bookmarks.
public enum PubSub {
    static let namespace = "http://jabber.org/protocol/pubsub"
    static let events = "http://jabber.org/protocol/pubsub#event"
    static let options = "http://jabber.org/protocol/pubsub#publish-options"

    /// The node of what is known of an avatar (XEP-0084).
    public static let avatarMetadata = "urn:xmpp:avatar:metadata"
    /// The node of an avatar's picture.
    public static let avatarData = "urn:xmpp:avatar:data"
    /// The node of the rooms to be in (XEP-0402).
    public static let bookmarks = "urn:xmpp:bookmarks:1"

    /// The nodes that hold something only for their owner.
    static let privateNodes: Set<String> = [bookmarks, "storage:bookmarks"]

    /// Something that was published.
    public struct Item: Hashable, Sendable {
        /// What names it in its node.
        public let id: String
        /// What it is; nil in a notice without.
        public let payload: XMLElement?
    }

    /// A change of a node, told by its owner's server.
    public struct Change: Hashable, Sendable {
        /// Whose node it is: he who sent the notice, whatever the notice says.
        public let owner: JID
        /// The node.
        public let node: String
        /// What was published.
        public let items: [Item]
        /// The names of what was taken back.
        public let retracted: [String]
        /// Whether all was, or the node is gone.
        public let isEmptied: Bool
    }

    /// What a message turns out to be.
    enum Reading: Hashable {
        /// No notice.
        case none
        /// A notice.
        case change(Change)
        /// A forgery, or nonsense.
        case invalid(String)
    }

    /// Reads a message.
    ///
    /// What is only for its owner counts only from the own account: another could otherwise send us into rooms.
    static func read(_ message: Message, own: JID) -> Reading {
        guard let event = message.extension(events, "event") else { return .none }
        let owner = (message.from ?? own).bare
        guard let part = event.children.first, let node = part["node"] else {
            return .invalid("a notice of nothing")
        }
        guard owner == own.bare || !privateNodes.contains(node) else {
            return .invalid("a notice from another")
        }
        return .change(
            Change(
                owner: owner, node: node, items: part.name == "items" ? items(in: part) : [],
                retracted: part.children("retract").compactMap { $0["id"] },
                isEmptied: part.name == "purge" || part.name == "delete"))
    }

    static func items(in list: XMLElement) -> [Item] {
        list.children("item").compactMap { item in
            item["id"].map { Item(id: $0, payload: item.children.first) }
        }
    }
}

extension XMPPClient {
    /// What is in a node.
    ///
    /// - Parameters:
    ///   - owner: whose node; nil is our own.
    ///   - id: one item alone; nil is all.
    public func published(_ node: String, by owner: JID? = nil, id: String? = nil) async throws(RequestError)
        -> [PubSub.Item]
    {
        let wanted = id.map { [XMLElement("item", PubSub.namespace, ["id": $0])] } ?? []
        let query = XMLElement(
            "pubsub", PubSub.namespace, [:], [XMLElement("items", PubSub.namespace, ["node": node], wanted)])
        let answer = try await request(.get, to: owner?.bare, query)
        guard let list = answer?.child("items", PubSub.namespace), list["node"] == node else {
            throw .implausible
        }
        return PubSub.items(in: list)
    }

    /// Publishes something in a node of our own.
    ///
    /// - Parameter isPrivate: whether only we may see it (XEP-0223); the server refuses where it can't promise that.
    public func publish(_ payload: XMLElement, id: String, in node: String, isPrivate: Bool)
        async throws(RequestError)
    {
        let fields: [(String, String?)] = [
            ("pubsub#persist_items", "true"), ("pubsub#max_items", isPrivate ? "max" : nil),
            ("pubsub#send_last_published_item", isPrivate ? "never" : nil),
            ("pubsub#access_model", isPrivate ? "whitelist" : "presence"),
        ]
        let item = XMLElement("item", PubSub.namespace, ["id": id], [payload])
        let publish = XMLElement("publish", PubSub.namespace, ["node": node], [item])
        let options = XMLElement(
            "publish-options", PubSub.namespace, [:], [DataForm.submission(PubSub.options, fields)])
        _ = try await request(.set, XMLElement("pubsub", PubSub.namespace, [:], [publish, options]))
    }

    /// Takes back something that we published.
    public func retract(_ id: String, in node: String) async throws(RequestError) {
        let item = XMLElement("item", PubSub.namespace, ["id": id])
        let retract = XMLElement("retract", PubSub.namespace, ["node": node, "notify": "true"], [item])
        _ = try await request(.set, XMLElement("pubsub", PubSub.namespace, [:], [retract]))
    }
}
