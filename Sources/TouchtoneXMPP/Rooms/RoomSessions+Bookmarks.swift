// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The bookmarks of the account, which its devices share: as XEP-0402 describes or, on a server that does not convert
// them for older programs, in the account's private storage (XEP-0048).
extension RoomSessions {
    /// Loads the bookmarks, which then replace the list of rooms.
    ///
    /// - Returns: False if there was no response, for example because the connection was lost.
    func loadBookmarks() async -> Bool {
        let stream = account.stream
        let (old, published): ([PubSub.Item], [PubSub.Item])
        do throws(RequestError) {
            old =
                account.hasOldBookmarks
                ? try await account.client.privateElement("storage", PrivateStorage.bookmarks)
                    .map(PrivateStorage.items) ?? [] : []
            published = try await publishedBookmarks()
        } catch {
            // Without bookmarks, the stored rooms are entered.
            return error != .disconnected && error != .timeout
        }
        guard !stream.isOver else { return false }
        unconverted = account.hasOldBookmarks ? Set(published.compactMap { JID($0.id) }) : []
        let items = published + old
        leaveRooms(except: Set(items.compactMap { JID($0.id) }))
        for item in items { handle(item, enters: false) }
        // Rooms that were joined while the bookmarks could not be changed.
        for session in sessions.values where !session.record.isBookmarked { publish(session) }
        return true
    }

    /// Returns the bookmarks that programs have published as XEP-0402 describes, also on a server that does not convert
    /// them.
    private func publishedBookmarks() async throws(RequestError) -> [PubSub.Item] {
        do throws(RequestError) {
            return try await account.client.published(PubSub.bookmarks)
        } catch .refused(let error) where account.hasOldBookmarks || error.condition == "item-not-found" {
            return []
        }
    }

    private func leaveRooms(except ids: Set<JID>) {
        for session in sessions.values where session.record.isBookmarked && !ids.contains(session.jid) {
            leave(session)
        }
    }

    /// Handles a change of the list in the private storage, which a server may also publish (XEP-0411).
    func handleList(_ change: PubSub.Change) {
        guard account.hasOldBookmarks, change.isEmptied || change.items.first?.payload != nil else { return }
        let items = change.items.first?.payload.map(PrivateStorage.items) ?? []
        leaveRooms(except: unconverted.union(items.compactMap { JID($0.id) }))
        for item in items { handle(item, enters: true) }
    }

    /// Handles a change that another device of the account has made.
    func handle(_ change: PubSub.Change) {
        for item in change.items { handle(item, enters: true) }
        if account.hasOldBookmarks { unconverted.formUnion(change.items.compactMap { JID($0.id) }) }
        let gone = Set(change.retracted.compactMap { JID($0) })
        for session in sessions.values where change.isEmptied || gone.contains(session.jid) { leave(session) }
    }

    /// - Parameter enters: Whether to enter the room now.
    private func handle(_ item: PubSub.Item, enters: Bool) {
        guard let jid = JID(item.id), jid.isBare, !jid.local.isEmpty, let bookmark = item.payload,
            bookmark.isNamed("conference", PubSub.bookmarks)
        else { return }
        let isAutojoined = ["true", "1"].contains(bookmark["autojoin"])
        let nickname = bookmark.child("nick")?.text ?? ""
        let known = sessions[jid]
        // The account's server also reports this device's own change, possibly after the user was removed.
        guard !enters || known?.bookmark != bookmark else { return }
        let usual = nickname.isEmpty ? account.client.account.jid.local : nickname
        let new = RoomRecord(ChatAddress(jid), nickname: known?.record.nickname ?? usual)
        guard let session = add(new) else { return }
        session.bookmark = bookmark
        session.password = bookmark.child("password")?.text ?? session.password
        session.record.name = String((bookmark["name"] ?? "").prefix(200))
        (session.record.isAutojoined, session.record.isBookmarked) = (isAutojoined, true)
        let wasWanted = session.isWanted
        session.isWanted = isAutojoined
        report(session)
        guard enters, wasWanted != isAutojoined || known == nil else { return }
        if isAutojoined {
            if session.standing != .joined, session.standing != .joining { reenter(session) }
        } else if let own = session.state.ownJID {
            account.client.send(MultiUserChat.leaving(own).element)
            session.interrupt()
            session.standing = .outside(nil)
            report(session)
        }
    }

    func publish(_ session: RoomSession) {
        var bookmark = session.bookmark ?? XMLElement("conference", PubSub.bookmarks)
        bookmark["autojoin"] = session.isWanted ? "true" : "false"
        if !session.record.name.isEmpty { bookmark["name"] = session.record.name }
        bookmark.nodes.removeAll { node in
            if case .element(let element) = node {
                element.isNamed("nick", PubSub.bookmarks) || element.isNamed("password", PubSub.bookmarks)
            } else {
                false
            }
        }
        bookmark.append(XMLElement("nick", PubSub.bookmarks, text: session.record.nickname))
        if !session.password.isEmpty {
            bookmark.append(XMLElement("password", PubSub.bookmarks, text: session.password))
        }
        session.bookmark = bookmark
        Task { [bookmark, account] in
            do throws(RequestError) {
                try await save(bookmark, of: session.jid)
                guard sessions[session.jid] === session, !session.record.isBookmarked else { return }
                session.record.isBookmarked = true
                report(session)
            } catch {
                account.onDropped?("the bookmark of \(session.jid) was not saved: \(error)")
            }
        }
    }

    /// Saves the bookmark of a room on the server; nil removes it.
    func save(_ bookmark: XMLElement?, of room: JID) async throws(RequestError) {
        let client = account.client
        guard account.hasOldBookmarks else {
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
        let change = Task { () -> Result<Void, RequestError> in
            _ = await previous?.value
            do throws(RequestError) {
                let list = try await client.privateElement("storage", PrivateStorage.bookmarks)
                return .success(
                    try await client.setPrivateElement(
                        PrivateStorage.setting(bookmark, of: room, in: list)))
            } catch {
                return .failure(error)
            }
        }
        lastSave = change
        try await change.value.get()
    }

    /// Leaves a room and removes it from the list.
    func leave(_ session: RoomSession) {
        if let own = session.state.ownJID { account.client.send(MultiUserChat.leaving(own).element) }
        remove(session)
    }
}
