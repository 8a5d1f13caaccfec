// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Entering a room: its features, the presence, and the missed messages.
extension RoomSessions {
    /// The number of past messages to receive in a room without an archive that is entered for the first time.
    private static let firstHistory = 50
    /// The margin for messages that were on their way, in seconds.
    private static let historyMargin: Int64 = 60

    /// - Parameter creation: How to create the room if it does not exist; nil to not create it.
    func enter(_ session: RoomSession, creation: RoomCreation? = nil) async throws(RoomError) {
        session.interrupt()
        let stay = session.stay
        session.standing = .joining
        report(session)
        do throws(RoomError) {
            try await attempt(session, stay, creation: creation)
        } catch {
            guard !stay.isOver else { throw .offline }
            session.interrupt()
            session.standing = .outside(error == .offline ? nil : error)
            report(session)
            throw error
        }
    }

    private func attempt(
        _ session: RoomSession, _ stay: TaskScope, creation: RoomCreation?, isCreated: Bool = false
    ) async throws(RoomError) {
        let client = account.client
        let info = try await info(of: session, creates: creation != nil)
        let features = info.features
        guard !stay.isOver else { throw .offline }
        let hasArchive = features.contains(Archive.namespace)
        let last = hasArchive ? nil : await session.lastMessage()
        guard !stay.isOver else { throw .offline }
        let presence = MultiUserChat.entering(
            session.jid, as: session.record.nickname, history: hasArchive ? .none : history(since: last),
            password: session.password)
        guard var presence else { throw .nicknameInvalid }
        account.describe(&presence)
        session.state.begin(
            as: session.record.nickname, features: features, isGateway: info.isOtherChat,
            isFirstVisit: session.isFirstVisit && last == nil)
        if hasArchive { session.catchUp.begin() }
        let timer = account.clock.schedule(after: Self.patience) {
            session.settle(.failure(.refused(localized("The room isn’t responding."))))
        }
        let entrance = await session.entered { client.send(presence.element) }
        timer.cancel()
        let isNew = try entrance.get()
        guard !stay.isOver else { throw .offline }
        session.record.nickname = session.state.nickname
        if isNew {
            // A room can be new only once.
            guard !isCreated else { throw .refused(localized("The room isn’t responding.")) }
            try await configure(session, as: creation ?? RoomCreation())
            // Only now does the room tell its features.
            return try await attempt(session, stay, creation: nil, isCreated: true)
        }
        if hasArchive {
            do throws(RequestError) {
                _ = try await session.archive.readMissed(in: stay)
            } catch {
                throw .offline
            }
        } else if let own = session.state.ownJID {
            // The response follows the past messages.
            do throws(RequestError) {
                try await client.ping(own)
            } catch {
                guard error != .disconnected else { throw .offline }
            }
        }
        guard !stay.isOver else { throw .offline }
        session.state.endHistory()
        (session.isReady, session.isFirstVisit, session.standing) = (true, false, .joined)
        session.lastHeard = account.clock.now
        report(session)
        watchSilence()
        // Messages that wait for the room are sent now.
        account.onRoomReady?()
    }

    /// Requests the features of a room again whose configuration has changed.
    func updateConfiguration(of session: RoomSession) {
        let stay = session.stay
        stay.run { [account] in
            do throws(RequestError) {
                let info = try await account.client.info(of: session.jid)
                if !stay.isOver { session.state.setConfiguration(info.features) }
            } catch {
                account.onDropped?("the new configuration of \(session.jid) is not known: \(error)")
            }
        }
    }

    /// Changes the user's nickname in a room (XEP-0045 section 7.6), which remains the same if the room refuses.
    func rename(_ session: RoomSession, to nickname: String) async throws(RoomError) {
        guard var presence = session.jid.with(resource: nickname).map({ Presence(to: $0) }),
            presence.to?.isBare == false
        else { throw .nicknameInvalid }
        account.describe(&presence)
        let (stay, stanza) = (session.stay, presence.element)
        let timer = account.clock.schedule(after: Self.patience) {
            guard !stay.isOver else { return }
            session.settle(.failure(.refused(localized("The room isn’t responding."))))
        }
        defer { timer.cancel() }
        _ = try await session.entered {
            session.state.beginRenaming()
            account.client.send(stanza)
        }.get()
        guard !stay.isOver else { throw .offline }
    }

    /// Returns what a room tells of itself; nothing if it does not say, or does not exist yet.
    private func info(of session: RoomSession, creates: Bool) async throws(RoomError) -> DiscoInfo {
        let info: DiscoInfo
        do throws(RequestError) {
            info = try await account.client.info(of: session.jid)
        } catch {
            switch error {
            case .disconnected: throw .offline
            case .timeout: throw .refused(localized("The room isn’t responding."))
            case .refused(let error) where error.condition == "item-not-found":
                guard creates else { throw .missing }
                return DiscoInfo(identities: [], features: [])
            case .refused(let error) where error.condition == "service-unavailable":
                // A person’s address refuses like this, and a room whose service is down for a while.
                throw session.isWanted ? .refused(error.reasonForUser) : .notARoom
            case .refused, .implausible:
                // Servers refuse to describe a person to a stranger, and services to describe a room, in many ways.
                guard try await mayBeRoom(session) else { throw .notARoom }
                return DiscoInfo(identities: [], features: [])
            }
        }
        guard info.hasRooms else { throw .notARoom }
        return info
    }

    /// Returns whether an address that does not describe itself may be that of a room: whether its service has rooms.
    private func mayBeRoom(_ session: RoomSession) async throws(RoomError) -> Bool {
        guard !session.isWanted else { return true }
        do throws(RequestError) {
            return try await account.client.info(of: session.jid.server).hasRooms
        } catch {
            guard error != .disconnected else { throw .offline }
            return true
        }
    }

    /// Creates a new room that lasts without people in it, and otherwise has the server's defaults (XEP-0045 section
    /// 10.1).
    ///
    /// A server that makes no lasting rooms makes one that ends when all have left. A private group is made only if the
    /// room becomes one: as another room, it would be open to everybody.
    private func configure(_ session: RoomSession, as creation: RoomCreation) async throws(RoomError) {
        let lasts = [("muc#roomconfig_persistentroom", "1" as String?)]
        let named = creation.name.isEmpty ? [] : [("muc#roomconfig_roomname", creation.name as String?)]
        let closed = [("muc#roomconfig_membersonly", "1" as String?), ("muc#roomconfig_whois", "anyone")]
        let wanted = creation.isPrivate ? [lasts + named + closed, closed] : [lasts + named, lasts, []]
        for fields in wanted {
            let form =
                fields.isEmpty
                ? XMLElement("x", DataForm.namespace, ["type": "submit"])
                : DataForm.submission(MultiUserChat.configuration, fields)
            do throws(RequestError) {
                _ = try await account.client.request(
                    .set, to: session.jid, XMLElement("query", MultiUserChat.owner, [:], [form]))
                if session.record.name.isEmpty { session.record.name = creation.name }
                return
            } catch {
                guard error != .disconnected else { throw .offline }
                account.onDropped?("the new room \(session.jid) did not accept its settings: \(error)")
            }
        }
        guard creation.isPrivate else { return }
        // A room that is left before it has its settings ends.
        if let own = session.state.ownJID { account.send(MultiUserChat.leaving(own).element) }
        throw .refused(localized("This server can’t make private groups."))
    }

    /// Returns the past messages to request from a room without an archive: those since the last known one.
    private func history(since last: ChatMessage?) -> MultiUserChat.History {
        guard let last else { return .last(Self.firstHistory) }
        let age = (account.wall.now.milliseconds - last.time.milliseconds) / 1000
        return .seconds(Int(max(0, age) + Self.historyMargin))
    }
}

extension DiscoInfo {
    /// Whether it describes a room, or a service with rooms.
    fileprivate var hasRooms: Bool {
        features.contains(MultiUserChat.namespace) || identities.contains { $0.category == "conference" }
    }

    /// Whether it describes a room of another kind of chat, such as IRC.
    fileprivate var isOtherChat: Bool {
        identities.contains { $0.category == "conference" && $0.type != "text" }
    }
}
