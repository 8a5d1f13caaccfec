// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The list of rooms follows the bookmarks.
extension RoomSessions {
    /// Loads the bookmarks, which then replace the list of rooms.
    ///
    /// - Returns: False if there was no response, for example because the connection was lost.
    func loadBookmarks() async -> Bool {
        let items: [PubSub.Item]
        do throws(RequestError) {
            items = try await bookmarks.load()
        } catch {
            // Without bookmarks, the stored rooms are entered.
            return error != .disconnected && error != .timeout
        }
        replaceBookmarked(by: items, enters: false)
        // Rooms that were joined while the bookmarks could not be changed. A room that is being entered may refuse the user.
        for session in sessions.values
        where !session.record.isBookmarked && (session.isWanted || session.standing != .joining) {
            publish(session)
        }
        return true
    }

    func follow(_ change: Bookmarks.Change) {
        switch change {
        case .items(let items, let gone):
            for item in items { apply(item, enters: true) }
            for session in sessions.values where gone.contains(session.jid) { leave(session) }
        case .list(let items, let others): replaceBookmarked(by: items, others: others, enters: true)
        case .emptied: for session in sessions.values { leave(session) }
        }
    }

    /// Leaves the bookmarked rooms that no longer have a bookmark, and applies those that there are.
    private func replaceBookmarked(by items: [PubSub.Item], others: Set<JID> = [], enters: Bool) {
        let kept = others.union(items.compactMap { JID($0.id) })
        for session in sessions.values where session.record.isBookmarked && !kept.contains(session.jid) {
            leave(session)
        }
        for item in items { apply(item, enters: enters) }
    }

    private func apply(_ item: PubSub.Item, enters: Bool) {
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
        let level = NotificationSettings.level(in: bookmark)
        if session.unsavedLevel == nil, let level { session.take(level) }
        session.password = bookmark.child("password")?.text ?? session.password
        session.record.name = String((bookmark["name"] ?? "").prefix(200))
        (session.record.isAutojoined, session.record.isBookmarked) = (isAutojoined, true)
        let wasWanted = session.isWanted
        session.isWanted = isAutojoined
        report(session)
        if let unsaved = session.unsavedLevel {
            // This device's choice is on its way, or could not be saved on an earlier stream.
            if unsaved == level { noteSaved(level: level, of: session) } else if !enters { publish(session) }
        } else if let level {
            account.emit([.choice(session.address, .notifications(level))])
        }
        takePin(of: session, isStart: !enters)
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
        bookmark.removeChildren {
            $0.isNamed("nick", PubSub.bookmarks) || $0.isNamed("password", PubSub.bookmarks)
        }
        bookmark.append(XMLElement("nick", PubSub.bookmarks, text: session.record.nickname))
        if !session.password.isEmpty {
            bookmark.append(XMLElement("password", PubSub.bookmarks, text: session.password))
        }
        let level = session.unsavedLevel
        let pin = session.unsavedPin
        if let level { bookmark = NotificationSettings.setting(level, in: bookmark) }
        if let pin { bookmark = RoomPin.setting(pin, in: bookmark) }
        session.bookmark = bookmark
        Task { [bookmark, bookmarks, account] in
            do throws(RequestError) {
                try await bookmarks.save(bookmark, of: session.jid)
                noteSaved(level: level, pin: pin, of: session)
                guard sessions[session.jid] === session, !session.record.isBookmarked else { return }
                session.record.isBookmarked = true
                report(session)
            } catch {
                account.onDropped?("the bookmark of \(session.jid) was not saved: \(error)")
            }
        }
    }

    /// Notes what of the user’s choices is in the bookmark on the server; the user may have chosen again meanwhile.
    private func noteSaved(
        level: NotificationLevel? = nil, pin: Bool? = nil, of session: RoomSession
    ) {
        if let level, session.unsavedLevel == level {
            session.unsavedLevel = nil
            account.emit([.choice(session.address, .notificationsShared)])
        }
        if let pin, session.unsavedPin == pin {
            session.unsavedPin = nil
            account.emit([.choice(session.address, .pinShared)])
        }
    }

    /// Follows what the bookmark on the server says of the pin.
    ///
    /// - Parameter isStart: Whether the bookmarks were loaded, and are no news.
    private func takePin(of session: RoomSession, isStart: Bool) {
        // A private storage has no place for it.
        guard !bookmarks.usesPrivateStorage, let bookmark = session.bookmark else { return }
        let isPinned = RoomPin.isSet(in: bookmark)
        guard let unsaved = session.unsavedPin else {
            return account.emit([.choice(session.address, .pinned(isPinned))])
        }
        if unsaved == isPinned {
            noteSaved(pin: isPinned, of: session)
        } else if isStart {
            publish(session)
        }
    }

    /// Leaves a room and removes it from the list.
    func leave(_ session: RoomSession) {
        if let own = session.state.ownJID { account.client.send(MultiUserChat.leaving(own).element) }
        remove(session)
    }
}
