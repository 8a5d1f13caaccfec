// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The user's choice of notifications for a conversation (XEP-0492), in the bookmark of a room or the item of a person.
enum NotificationSettings {
    static let namespace = "urn:xmpp:notification-settings:1"

    private static let names: KeyValuePairs<String, NotificationLevel> = [
        "always": .always, "on-mention": .onMention, "never": .never,
    ]

    /// Returns the choice for programs like this one, or else for all; nil if there is none.
    static func level(in bookmark: XMLElement) -> NotificationLevel? {
        notify(in: bookmark).flatMap { level(of: $0) }
    }

    /// Returns the choice in a `notify` element; nil if there is none.
    static func level(of notify: XMLElement) -> NotificationLevel? {
        guard notify.isNamed("notify", namespace) else { return nil }
        return index(in: notify).flatMap { Self.level(notify.nodes[$0]) }
    }

    /// Returns a bookmark with another choice; what other programs have stored in it stays.
    static func setting(_ level: NotificationLevel, in bookmark: XMLElement) -> XMLElement {
        guard self.level(in: bookmark) != level else { return bookmark }
        let notify = setting(level, inNotify: notify(in: bookmark))
        return bookmark.replacing(bookmark.extensions.replacing(notify))
    }

    /// Returns a `notify` element with another choice; nil is one without any.
    static func setting(_ level: NotificationLevel, inNotify notify: XMLElement?) -> XMLElement {
        var notify = notify ?? XMLElement("notify", namespace)
        guard self.level(of: notify) != level, let name = names.first(where: { $0.value == level })?.key
        else { return notify }
        if let index = index(in: notify), case .element(let old) = notify.nodes[index] {
            // Settings of other programs in the choice must stay.
            notify.nodes[index] = .element(
                XMLElement(name: name, namespace: namespace, attributes: old.attributes, nodes: old.nodes))
        }
        if !notify.nodes.contains(where: { Self.level($0) != nil && rank($0) == 1 }) {
            notify.append(XMLElement(name, namespace))
        }
        return notify
    }

    private static func notify(in bookmark: XMLElement) -> XMLElement? {
        bookmark.extensions.child("notify", namespace)
    }

    /// Returns the index of the choice that counts, the first one of those that are meant most closely.
    private static func index(in notify: XMLElement) -> Int? {
        var best: (index: Int, rank: Int)?
        for (index, node) in notify.nodes.enumerated() where level(node) != nil {
            let rank = rank(node)
            if rank > best?.rank ?? 0 { best = (index, rank) }
        }
        return best?.index
    }

    private static func level(_ node: XMLElement.Node) -> NotificationLevel? {
        guard case .element(let element) = node, element.namespace == namespace else { return nil }
        return names.first { $0.key == element.name }?.value
    }

    /// Returns how closely a choice is meant for this program: 0 for another kind of program, 1 for all.
    private static func rank(_ node: XMLElement.Node) -> Int {
        guard case .element(let element) = node, let own = OwnCapabilities.info.identities.first else {
            return 0
        }
        switch (element["identity-category"], element["identity-type"]) {
        case (own.category, own.type): return 3
        case (own.category, nil): return 2
        case (nil, nil): return 1
        default: return 0
        }
    }
}

extension XMLElement {
    /// The data that other programs have stored in a bookmark (XEP-0402); empty if there is nothing.
    var extensions: XMLElement {
        child("extensions", PubSub.bookmarks) ?? XMLElement("extensions", PubSub.bookmarks)
    }

    /// Returns the element with a child in place of the first one of that name, or as its last one.
    func replacing(_ child: XMLElement) -> XMLElement {
        var changed = self
        let index = nodes.firstIndex {
            if case .element(let old) = $0 { old.isNamed(child.name, child.namespace) } else { false }
        }
        if let index { changed.nodes[index] = .element(child) } else { changed.append(child) }
        return changed
    }
}
