// SPDX-License-Identifier: GPL-3.0-or-later

/// Items that accounts publish (XEP-0060, XEP-0163), such as avatars and bookmarks.
enum PubSub {
    static let namespace = "http://jabber.org/protocol/pubsub"
    static let events = "http://jabber.org/protocol/pubsub#event"
    static let options = "http://jabber.org/protocol/pubsub#publish-options"
    static let ownership = "http://jabber.org/protocol/pubsub#owner"
    static let configuration = "http://jabber.org/protocol/pubsub#node_config"

    /// The node of avatar metadata (XEP-0084).
    static let avatarMetadata = "urn:xmpp:avatar:metadata"
    static let avatarData = "urn:xmpp:avatar:data"
    /// The node of bookmarked rooms (XEP-0402).
    static let bookmarks = "urn:xmpp:bookmarks:1"
    /// The feature of a server that converts these bookmarks for older programs, and theirs for newer ones.
    static let convertedBookmarks = "urn:xmpp:bookmarks:1#compat"

    /// The node of marks up to which conversations have been read (XEP-0490).
    static let displayed = "urn:xmpp:mds:displayed:0"

    /// The node of the choices of notifications for people, which no standard names: its elements are those of XEP-0492.
    static let notifications = "io.github.touchtone.Touchtone:notifications:0"

    /// The configuration of a node that only the account sees (XEP-0490, section 4.2).
    private static let privateOptions: [(String, String?)] = [
        ("pubsub#persist_items", "true"), ("pubsub#max_items", "max"),
        ("pubsub#send_last_published_item", "never"), ("pubsub#access_model", "whitelist"),
    ]
    /// That of a node with bookmarks (XEP-0402, section 5).
    private static let bookmarkOptions: [(String, String?)] =
        privateOptions + [("pubsub#notify_delete", "true"), ("pubsub#notify_retract", "true")]

    /// The part of it that keeps items and hides them from others, which older servers, too, ensure with each item.
    fileprivate static let preconditions: [(String, String?)] = [
        ("pubsub#persist_items", "true"), ("pubsub#access_model", "whitelist"),
    ]

    static let privateNodes: Set<String> = [bookmarks, "storage:bookmarks", displayed, notifications]

    fileprivate static func options(of node: String) -> [(String, String?)] {
        node == bookmarks ? bookmarkOptions : privateOptions
    }

    struct Item: Hashable, Sendable {
        let id: String
        /// The contents; nil in a notification without payload.
        let payload: XMLElement?
    }

    /// A change of a node, reported by its owner's server.
    struct Change: Hashable, Sendable {
        /// The owner of the node: the sender of the notification, whatever the notification contains.
        let owner: JID
        let node: String
        let items: [Item]
        let retracted: [String]
        /// Whether all items were removed, or the node was deleted.
        let isEmptied: Bool
    }

    /// Classifies a message; returns nil if it is not a notification.
    ///
    /// Private items count only if they are from the user's account: others could otherwise make us join rooms, and hide
    /// that messages are new.
    static func read(_ message: Message, own: JID) -> InboundStanza? {
        guard let event = message.extension(events, "event") else { return nil }
        let owner = (message.from ?? own).bare
        guard let part = event.children.first, let node = part["node"] else {
            return .dropped("empty notification")
        }
        guard owner == own.bare || !privateNodes.contains(node) else {
            return .dropped("notification from a different sender")
        }
        return .published(
            Change(
                owner: owner, node: node, items: part.name == "items" ? items(in: part) : [],
                retracted: part.children("retract").compactMap { $0["id"] },
                isEmptied: part.name == "purge" || part.name == "delete"))
    }

    fileprivate static func publication(
        of payload: XMLElement, id: String, in node: String, _ options: [(String, String?)]
    ) -> XMLElement {
        let item = XMLElement("item", namespace, ["id": id], [payload])
        var parts = [XMLElement("publish", namespace, ["node": node], [item])]
        if !options.isEmpty {
            let form = DataForm.submission(PubSub.options, options)
            parts.append(XMLElement("publish-options", namespace, [:], [form]))
        }
        return XMLElement("pubsub", namespace, [:], parts)
    }

    fileprivate static func deletion(of node: String) -> XMLElement {
        XMLElement("pubsub", ownership, [:], [XMLElement("delete", ownership, ["node": node])])
    }

    static func items(in list: XMLElement) -> [Item] {
        list.children("item").compactMap { item in
            item["id"].map { Item(id: $0, payload: item.children.first) }
        }
    }
}

extension XMPPClient {
    /// - Parameters:
    ///   - owner: The owner of the node; nil for the user's account.
    ///   - id: The id of the one item to request; nil for all.
    func published(_ node: String, by owner: JID? = nil, id: String? = nil) async throws(RequestError)
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

    /// Publishes an item that only the user may see (XEP-0223), in a node of the user's account.
    ///
    /// A node that another program has configured differently is configured again. The server refuses if it cannot
    /// guarantee the configuration.
    func publishPrivately(_ payload: XMLElement, id: String, in node: String) async throws(RequestError) {
        _ = try await publishPrivately(payload, id: id, in: node, isConfigured: false)
    }

    /// - Parameter isConfigured: Whether an earlier call returned true.
    /// - Returns: Whether the server had to be told the configuration apart, as ejabberd 23 has to be, which does not know
    ///   all options with an item.
    func publishPrivately(
        _ payload: XMLElement, id: String, in node: String, isConfigured: Bool
    ) async throws(RequestError) -> Bool {
        guard !isConfigured else {
            try await publish(payload, id: id, in: node, PubSub.preconditions)
            return true
        }
        let options = PubSub.options(of: node)
        do throws(RequestError) {
            try await publish(payload, id: id, in: node, options)
        } catch .refused(let error) where error.condition == "conflict" {
            try await configure(node, options)
            try await publish(payload, id: id, in: node, options)
        } catch .refused(let error) where error.condition == "resource-constraint" {
            try await publish(payload, id: id, in: node, PubSub.preconditions)
            try await configure(node, options)
            return true
        }
        return false
    }

    /// Configures a node of the user's account (XEP-0060, section 8.2).
    private func configure(_ node: String, _ options: [(String, String?)]) async throws(RequestError) {
        let form = DataForm.submission(PubSub.configuration, options)
        let change = XMLElement("configure", PubSub.ownership, ["node": node], [form])
        _ = try await request(.set, XMLElement("pubsub", PubSub.ownership, [:], [change]))
    }

    /// Publishes the only item of a node of the user's account, which those may see who see the user's presence, unless
    /// the node has other rules already.
    func publish(_ payload: XMLElement, id: String, in node: String) async throws(RequestError) {
        do throws(RequestError) {
            try await publish(
                payload, id: id, in: node,
                [("pubsub#persist_items", "true"), ("pubsub#access_model", "presence")])
        } catch .refused(let error) where error.condition == "conflict" {
            try await publish(payload, id: id, in: node, [])
        }
    }

    private func publish(
        _ payload: XMLElement, id: String, in node: String, _ options: [(String, String?)]
    ) async throws(RequestError) {
        _ = try await request(.set, PubSub.publication(of: payload, id: id, in: node, options))
    }

    /// Publishes an item that everybody may see, in a node that has been configured so, without waiting for the answer.
    func sendOpenly(_ payload: XMLElement, in node: String) {
        requestWithoutWaiting(PubSub.publication(of: payload, id: "current", in: node, []))
    }

    /// Removes a node of the user’s account, without waiting for the answer.
    func sendDeletion(of node: String) {
        requestWithoutWaiting(PubSub.deletion(of: node))
    }

    /// Publishes the only item of a node of the user’s account, which everybody may see.
    ///
    /// A node with another configuration is configured again, as a server asks for that may have kept an old one.
    func publishOpenly(_ payload: XMLElement, in node: String) async throws(RequestError) {
        let options: [(String, String?)] = [
            ("pubsub#persist_items", "true"), ("pubsub#access_model", "open"),
        ]
        do throws(RequestError) {
            try await publish(payload, id: "current", in: node, options)
        } catch .refused(let error) where error.condition == "conflict" {
            try await configure(node, options)
            try await publish(payload, id: "current", in: node, options)
        }
    }

    /// Removes a node of the user’s account with its items (XEP-0060, section 8.4).
    func deleteNode(_ node: String) async throws(RequestError) {
        _ = try await request(.set, PubSub.deletion(of: node))
    }

    func retract(_ id: String, in node: String) async throws(RequestError) {
        let item = XMLElement("item", PubSub.namespace, ["id": id])
        let retract = XMLElement("retract", PubSub.namespace, ["node": node, "notify": "true"], [item])
        _ = try await request(.set, XMLElement("pubsub", PubSub.namespace, [:], [retract]))
    }
}
