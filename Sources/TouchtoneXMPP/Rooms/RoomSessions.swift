// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The rooms of an account: those in the list, whether or not the user is in them.
@MainActor
final class RoomSessions: StreamModule {
    nonisolated static let features = [MultiUserChat.namespace, MultiUserChat.invitation]

    /// The greatest number of rooms: more bookmarks are ignored.
    static let maximumRooms = 1000
    static let maximumEntering = 8
    /// The time after which a room that does not answer has refused the user.
    static let patience = Duration.seconds(60)
    /// The silence after which the phone checks whether it is still in a room (XEP-0410).
    static let silence = Duration.seconds(900)

    let account: AccountContext
    let bookmarks: Bookmarks
    private(set) var sessions: [JID: RoomSession] = [:]
    private(set) var addresses: Set<JID> = []
    /// The choices of notifications for rooms that are not in the list yet: those of the time before the first stream.
    private var unsavedLevels: [JID: NotificationLevel] = [:]
    private var startedOn: TaskScope?
    private var queue: [RoomSession] = []
    private var enteringCount = 0
    private var retries = Backoff()
    private var retryTimer: (any ScheduledTimer)?
    private var silenceTimer: (any ScheduledTimer)?

    init(of account: AccountContext, _ bookmarks: Bookmarks) {
        (self.account, self.bookmarks) = (account, bookmarks)
        bookmarks.onChange = { [weak self] in self?.follow($0) }
    }

    func session(_ jid: JID?) -> RoomSession? { jid.flatMap { sessions[$0.bare] } }

    func destination(_ jid: JID) -> Message.Destination {
        guard session(jid) != nil else { return .person }
        return jid.isBare ? .room : .occupant
    }

    /// Returns whether a message asks for a receipt and a marker: in a room, only if all know each other.
    func asksForReceipts(_ jid: JID) -> Bool {
        guard let state = session(jid)?.state else { return true }
        return jid.isBare ? state.asksForReceipts : state.isPrivate
    }

    /// Sends a receipt or a marker to a room or one of its occupants, once the user is in the room.
    func confirm(_ confirmation: Message, in session: RoomSession) {
        guard session.isReady, account.isReady else { return session.keep(confirmation) }
        guard let to = confirmation.to, asksForReceipts(to) else { return }
        var stanza = confirmation
        if to.isBare {
            stanza.kind = .groupchat
        } else if stanza.extension(MultiUserChat.user) == nil {
            stanza.extensions.append(XMLElement("x", MultiUserChat.user))
        }
        account.send(stanza.element)
    }

    func sendConfirmations() {
        for session in sessions.values where session.isReady {
            for confirmation in session.takeConfirmations() { confirm(confirmation, in: session) }
        }
    }

    /// Keeps a confirmation that a lost connection has returned, if it is for a room; returns false if it is not.
    func keepConfirmation(_ stanza: XMLElement) -> Bool {
        guard let message = Message(stanza), message.body == nil, let session = session(message.to),
            Receipts.received(in: message) != nil || ChatMarkers.displayed(in: message) != nil
        else { return false }
        session.keep(message)
        return true
    }

    /// Returns whether a message can be sent now: to a room only from inside, and once.
    func maySend(_ name: String, to jid: JID) -> Bool {
        guard let session = session(jid) else { return true }
        return session.isReady && !session.sent.contains(name)
    }

    func sends(_ name: String, to jid: JID) { if jid.isBare { session(jid)?.sent.insert(name) } }

    func report(_ session: RoomSession) { account.emit([.room(session.room)]) }

    /// Tells an event in the conversation of a room.
    func emit(_ notice: RoomNotice, in session: RoomSession) {
        // It is true at each entry, and told at the first.
        if case .showsAddresses(let isNew) = notice {
            guard isNew || !session.record.showsAddresses else { return }
            session.record.showsAddresses = true
            report(session)
        }
        let message = ReceivedMessage(
            buddy: session.address, sender: .buddy, text: notice.text, time: account.wall.now,
            passage: .notice)
        // It follows the messages that came before it. The room may have been removed meanwhile, with its account.
        account.pipeline.whenReported { [weak self] in
            if let self, sessions[session.jid] === session { account.emit([.received(message)]) }
        }
    }

    /// Returns the room in the list with that record, and adds it if necessary; nil if there are too many.
    func add(_ record: RoomRecord) -> RoomSession? {
        guard let jid = record.address.jid, jid.isBare, !jid.local.isEmpty else { return nil }
        if let known = sessions[jid] { return known }
        guard sessions.count < Self.maximumRooms else { return nil }
        let session = RoomSession(record, at: jid, of: account)
        if let level = unsavedLevels.removeValue(forKey: jid) {
            session.unsavedLevel = level
            session.take(level)
        }
        sessions[jid] = session
        addresses.insert(jid)
        return session
    }

    func remove(_ session: RoomSession) {
        session.isWanted = false
        session.interrupt()
        sessions[session.jid] = nil
        addresses.remove(session.jid)
        account.emit([.roomRemoved(session.address)])
    }
}

// MARK: - Streams

extension RoomSessions {
    /// Adds the stored rooms, which are entered with the next stream.
    ///
    /// - Parameter conversations: Those that the store has. The bookmarks on the server may lack what was chosen in an
    ///   earlier run of the program.
    func load(_ records: [RoomRecord], _ conversations: [ChatAddress: ConversationSummary] = [:]) {
        for record in records where record.address.jid.map({ sessions[$0] == nil }) ?? false {
            if let settings = conversations[record.address]?.settings, settings.contains(.muteToShare),
                let jid = record.address.jid, unsavedLevels[jid] == nil
            {
                unsavedLevels[jid] = record.notificationLevel(isMuted: settings.contains(.muted))
            }
            guard let session = add(record) else { continue }
            if let settings = conversations[record.address]?.settings, settings.contains(.pinToShare) {
                session.unsavedPin = settings.contains(.pinned)
            }
            (session.isWanted, session.isFirstVisit) = (record.isAutojoined, false)
        }
    }

    /// Forgets where the user is, because a new stream has begun or the last one has ended.
    func begin() {
        stopTimers()
        (queue, retries) = ([], Backoff())
        for session in sessions.values {
            session.interrupt()
            guard session.standing == .joined || session.standing == .joining else { continue }
            session.standing = .outside(nil)
            report(session)
        }
    }

    /// Removes all rooms, because they belong to a different account.
    func forget() {
        begin()
        (sessions, addresses, unsavedLevels) = ([:], [], [:])
    }

    /// Keeps the choice of notifications for a room that is not in the list yet.
    func keep(_ level: NotificationLevel, for room: ChatAddress) {
        guard let jid = room.jid, jid.isBare,
            unsavedLevels.count < Self.maximumRooms || unsavedLevels[jid] != nil
        else { return }
        unsavedLevels[jid] = level
    }

    /// Loads the bookmarks and enters the wanted rooms, once on each stream.
    func start() {
        let stream = account.stream
        guard startedOn !== stream else { return }
        startedOn = stream
        stream.run { [self] in
            let isLoaded = await loadBookmarks()
            guard !stream.isOver else { return }
            if !isLoaded {
                startedOn = nil
                retryLater()
            }
            enterWanted(includesRefused: true)
        }
    }

    /// - Parameter includesRefused: Whether to try rooms again that refused the user.
    private func enterWanted(includesRefused: Bool = false) {
        queue = sessions.values.filter {
            $0.isWanted && ($0.standing.isTemporary || includesRefused && !$0.standing.isUnderWay)
        }
        .sorted { $0.address < $1.address }
        while enteringCount < Self.maximumEntering, !queue.isEmpty { enterNext() }
    }

    private func enterNext() {
        // The user may have left a room that waits, or entered it.
        let next = queue.firstIndex { sessions[$0.jid] === $0 && $0.isWanted && !$0.standing.isUnderWay }
        guard let next else { return queue = [] }
        let session = queue[next]
        queue.removeFirst(next + 1)
        enteringCount += 1
        enterSoon(session) { [self] in
            enteringCount -= 1
            enterNext()
        }
    }

    /// Enters a room, and tries again later if it refuses the user for now.
    private func enterSoon(_ session: RoomSession, ended: @escaping @MainActor () -> Void = {}) {
        Task {
            do throws(RoomError) {
                try await enter(session)
            } catch {
                if case .refused = error { retryLater() }
            }
            ended()
        }
    }

    /// Enters the wanted rooms that the user is not in after a while, which grows with each attempt.
    func retryLater() {
        guard retryTimer == nil else { return }
        var random = SystemRandomNumberGenerator()
        retryTimer = account.clock.schedule(after: retries.next(using: &random)) { [weak self] in
            self?.retryTimer = nil
            guard let self, account.isReady else { return }
            start()
            enterWanted()
        }
    }

    private func stopTimers() {
        retryTimer?.cancel()
        silenceTimer?.cancel()
        (retryTimer, silenceTimer) = (nil, nil)
    }
}

// MARK: - Checks

extension RoomSessions {
    func resume() {
        for session in sessions.values where session.standing == .joined {
            check(session)
            if session.state.hasArchive, session.isReady { session.archive.doubt(in: session.stay) }
        }
        // What was chosen while there was no connection was not saved.
        for session in sessions.values where session.record.isBookmarked {
            if session.unsavedLevel != nil || session.unsavedPin != nil { publish(session) }
        }
        // Entering may have failed while there was no connection.
        enterWanted()
    }

    /// Checks from time to time whether the user is still in rooms that are silent.
    func watchSilence() {
        guard silenceTimer == nil, sessions.values.contains(where: { $0.standing == .joined }) else { return }
        silenceTimer = account.clock.schedule(after: Self.silence) { [weak self] in
            guard let self else { return }
            silenceTimer = nil
            let now = account.clock.now
            for session in sessions.values
            where session.standing == .joined && now - session.lastHeard >= Self.silence { check(session) }
            watchSilence()
        }
    }

    /// Pings the user's own address in a room, and enters again if the room no longer knows it (XEP-0410).
    private func check(_ session: RoomSession) {
        guard let jid = session.state.ownJID, account.client.state == .online else { return }
        let stay = session.stay
        stay.run { [self] in
            let answer = await Result.of { () throws(RequestError) in try await account.client.ping(jid) }
            guard !stay.isOver, session.standing == .joined else { return }
            session.lastHeard = account.clock.now
            if MultiUserChat.isInside(answer) == false { reenter(session) }
        }
    }

    func reenter(_ session: RoomSession) {
        session.interrupt()
        session.standing = .outside(nil)
        enterSoon(session)
    }
}

extension Room.Standing {
    fileprivate var isUnderWay: Bool { self == .joined || self == .joining }

    /// Whether the user is outside for a reason that may have passed.
    fileprivate var isTemporary: Bool {
        switch self {
        case .outside(nil), .outside(.refused): true
        case .joining, .joined, .outside: false
        }
    }
}
