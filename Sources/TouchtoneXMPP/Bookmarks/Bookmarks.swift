// SPDX-License-Identifier: GPL-3.0-or-later

/// The bookmarks of rooms, which the account's devices share: as XEP-0402 describes or, on a server that does not convert
/// them for older programs, in the account's private storage (XEP-0048).
@MainActor
final class Bookmarks: StreamModule {
    nonisolated static let features = [PubSub.bookmarks + "+notify"]

    /// A change that another device of the account has made.
    enum Change {
        /// The bookmarks of these rooms have changed, or are gone.
        case items([PubSub.Item], gone: Set<JID>)
        /// The list as a whole has changed; the other rooms have bookmarks elsewhere.
        case list([PubSub.Item], others: Set<JID>)
        case emptied
    }

    /// Called with each change; set once, by `RoomSessions`.
    var onChange: (@MainActor (Change) -> Void)?
    /// Whether the server keeps the bookmarks only in the private storage.
    var usesPrivateStorage = false
    private let account: AccountContext
    /// The rooms with a bookmark that another program has published and the server does not convert.
    private var unconverted: Set<JID> = []
    /// The last change of the list in the private storage.
    private var lastSave: Task<Result<Void, RequestError>, Never>?

    init(of account: AccountContext) { self.account = account }

    func learn(_ features: Set<String>) { usesPrivateStorage = !features.contains(PubSub.convertedBookmarks) }

    func handle(_ stanza: InboundStanza) -> Bool {
        guard case .published(let change) = stanza else { return false }
        switch change.node {
        case PubSub.bookmarks:
            if usesPrivateStorage { unconverted.formUnion(change.items.compactMap { JID($0.id) }) }
            onChange?(
                change.isEmptied
                    ? .emptied : .items(change.items, gone: Set(change.retracted.compactMap { JID($0) })))
        // A server may also publish the list in the private storage (XEP-0411).
        case PrivateStorage.bookmarks:
            guard usesPrivateStorage, change.isEmptied || change.items.first?.payload != nil else {
                return true
            }
            let items = change.items.first?.payload.map(PrivateStorage.items) ?? []
            onChange?(.list(items, others: unconverted))
        default: return false
        }
        return true
    }

    func load() async throws(RequestError) -> [PubSub.Item] {
        let stream = account.stream
        let list =
            usesPrivateStorage
            ? try await account.client.privateElement("storage", PrivateStorage.bookmarks) : nil
        let published = try await published()
        try stream.check()
        unconverted = usesPrivateStorage ? Set(published.compactMap { JID($0.id) }) : []
        return published + (list.map(PrivateStorage.items) ?? [])
    }

    /// Returns the bookmarks that are published as in XEP-0402, also on a server that does not convert them.
    private func published() async throws(RequestError) -> [PubSub.Item] {
        do throws(RequestError) {
            return try await account.client.published(PubSub.bookmarks)
        } catch .refused(let error) where usesPrivateStorage || error.condition == "item-not-found" {
            return []
        }
    }

    /// Saves the bookmark of a room on the server; nil removes it.
    func save(_ bookmark: XMLElement?, of room: JID) async throws(RequestError) {
        let client = account.client
        guard usesPrivateStorage else {
            if let bookmark {
                try await client.publishPrivately(bookmark, id: room.description, in: PubSub.bookmarks)
            } else {
                try await client.retract(room.description, in: PubSub.bookmarks)
            }
            return
        }
        if bookmark == nil, unconverted.remove(room) != nil {
            try await client.retract(room.description, in: PubSub.bookmarks)
        }
        // The list is replaced as a whole, so one change waits for the other.
        let previous = lastSave
        let change = Task {
            _ = await previous?.value
            return await Result.of { () throws(RequestError) in
                let list = try await client.privateElement("storage", PrivateStorage.bookmarks)
                try await client.setPrivateElement(PrivateStorage.setting(bookmark, of: room, in: list))
            }
        }
        lastSave = change
        try await change.value.get()
    }
}
