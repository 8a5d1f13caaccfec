// SPDX-License-Identifier: GPL-3.0-or-later

/// The private storage of an account (XEP-0049), which has the bookmarks on servers without XEP-0402.
enum PrivateStorage {
    static let namespace = "jabber:iq:private"
    /// The bookmarked rooms, as one list (XEP-0048).
    static let bookmarks = "storage:bookmarks"

    /// Returns the bookmarks of a list in the form of XEP-0402.
    static func items(in list: XMLElement) -> [PubSub.Item] {
        list.children("conference").compactMap { old in
            guard let room = old["jid"] else { return nil }
            let details = ["nick", "password"].compactMap { name in
                old.child(name).map { XMLElement(name, PubSub.bookmarks, text: $0.text) }
            }
            let new = XMLElement(
                "conference", PubSub.bookmarks, ["name": old["name"], "autojoin": old["autojoin"]], details)
            return PubSub.Item(id: room, payload: new)
        }
    }

    /// - Parameter bookmark: The new bookmark of the room, in the form of XEP-0402; nil removes it.
    static func setting(_ bookmark: XMLElement?, of room: JID, in list: XMLElement?) -> XMLElement {
        var list = list ?? XMLElement("storage", bookmarks)
        list.removeChildren { old in
            old.isNamed("conference", bookmarks) && old["jid"].flatMap { JID($0) } == room
        }
        if let bookmark {
            let details = ["nick", "password"].compactMap { name in
                bookmark.child(name).map { XMLElement(name, bookmarks, text: $0.text) }
            }
            list.append(
                XMLElement(
                    "conference", bookmarks,
                    [
                        "jid": room.description, "name": bookmark["name"], "autojoin": bookmark["autojoin"],
                    ], details))
        }
        return list
    }
}

extension XMPPClient {
    func privateElement(_ name: String, _ namespace: String) async throws(RequestError) -> XMLElement? {
        let query = XMLElement("query", PrivateStorage.namespace, [:], [XMLElement(name, namespace)])
        return try await request(.get, query)?.child(name, namespace)
    }

    /// Stores an element in the account's private storage, and replaces the one of that name.
    func setPrivateElement(_ element: XMLElement) async throws(RequestError) {
        _ = try await request(.set, XMLElement("query", PrivateStorage.namespace, [:], [element]))
    }
}
