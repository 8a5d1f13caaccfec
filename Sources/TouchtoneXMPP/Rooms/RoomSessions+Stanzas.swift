// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// Stanzas of rooms. A room is found by the sender's bare address, which the server guarantees.
extension RoomSessions {
    func handle(_ stanza: InboundStanza) -> Bool {
        switch stanza {
        case .message(let message, _): return handle(message)
        case .presence(let presence): return handle(presence)
        // What the user says in a room comes back as the room's message, and never from another device.
        case .sentElsewhere, .roster, .blocking, .published, .request, .answered, .response, .archived,
            .dropped:
            return false
        }
    }

    /// Handles a presence; returns false if it is not that of a room in the list.
    private func handle(_ presence: Presence) -> Bool {
        guard let session = session(presence.from) else { return false }
        switch presence.kind {
        case .available, .unavailable, .error: break
        case .subscribe, .subscribed, .unsubscribe, .unsubscribed, .probe: return false
        }
        session.lastHeard = account.clock.now
        apply(session.state.handle(presence), to: session)
        return true
    }

    /// Handles a live message; returns false if it does not concern rooms.
    private func handle(_ message: Message) -> Bool {
        if message.kind == .groupchat {
            handleGroupMessage(message)
            return true
        }
        if message.kind == .error { return handleError(message) }
        if let name = MultiUserChat.voiceRequest(in: message), let session = session(message.from) {
            if session.state.rights.contains(.kick) { emit(.asksToSpeak(name), in: session) }
            return true
        }
        guard let invitation = MultiUserChat.invitation(in: message) else { return false }
        account.emit([.invitation(RoomInvitation(invitation, rooms: addresses))])
        return true
    }

    private func handleGroupMessage(_ message: Message) {
        guard let session = session(message.from), session.state.phase != .outside else {
            account.onDropped?("message of a room that the user is not in")
            return
        }
        session.lastHeard = account.clock.now
        if let name = message.id, session.sent.contains(name),
            message.from?.resource == session.state.nickname
        {
            session.state.noteKeptID()
        }
        let (inbound, changes) = session.state.receive(
            message, own: account.client.account.jid.bare, now: account.wall.now)
        if let inbound {
            account.pipeline.receive(inbound) { [weak self] parsed in
                guard let self, sessions[session.jid] === session else { return }
                account.emit(session.catchUp.receive(parsed))
            }
        }
        apply(changes, to: session)
    }

    /// Handles the acknowledgement of a stanza by the server; returns the update if no other confirmation may come.
    ///
    /// A gateway may keep a message to itself, which would be sent again and again.
    func acknowledged(_ stanza: XMLElement) -> MessageUpdate? {
        guard let message = Message(stanza), message.kind == .groupchat, let name = message.id,
            let session = session(message.to), session.state.isGateway
        else { return nil }
        return .acknowledged(buddy: session.address, name: name)
    }

    private func handleError(_ message: Message) -> Bool {
        guard let session = session(message.from), let name = message.id, message.from?.isBare == true else {
            return false
        }
        if session.topicNames.contains(name) {
            let reason = (message.error ?? StanzaError(.cancel, "undefined-condition")).reasonForUser
            emit(.topicRefused(reason: reason), in: session)
            return true
        }
        // The room no longer knows the user; the message is sent again once it does.
        guard message.error?.condition == "not-acceptable", session.isWanted, !session.state.isGateway,
            session.bounced.insert(name).inserted
        else { return false }
        account.outbox.failed(name)
        if session.standing == .joined { reenter(session) }
        return true
    }

    private func apply(_ changes: [RoomState.Change], to session: RoomSession) {
        var (isChanged, isCrowdChanged) = (false, false)
        for change in changes {
            switch change {
            case .entered(let isNew): session.settle(.success(isNew))
            case .refused(let error): session.settle(.failure(error))
            case .notice(let notice):
                emit(notice, in: session)
                if case .renamed(_, _, isMe: true) = notice { session.settle(.success(false)) }
            case .people: isCrowdChanged = true
            case .topic: isChanged = true
            case .configuration: updateConfiguration(of: session)
            case .removed(let way): leaveInvoluntarily(session, way)
            case .destroyed:
                session.isWanted = false
                leave(session, nil)
            }
        }
        guard isChanged || isCrowdChanged, session.standing == .joined else { return }
        if session.record.nickname != session.state.nickname {
            session.record.nickname = session.state.nickname
            isChanged = true
        }
        if isChanged { report(session) } else { reportSoon(session) }
    }

    /// Reports the state of a room once for all presence that is handled in this turn of the loop: thousands may enter.
    private func reportSoon(_ session: RoomSession) {
        guard !session.isReporting else { return }
        session.isReporting = true
        Task { [weak self] in
            session.isReporting = false
            if let self, sessions[session.jid] === session, session.standing == .joined { report(session) }
        }
    }

    private func leaveInvoluntarily(_ session: RoomSession, _ way: RoomNotice.Removal?) {
        let reason: RoomError? =
            switch way {
            case .banned: .banned
            case .membersOnly: .membersOnly
            default: nil
            }
        switch way {
        // The room may not be back yet, or remove the user again. A gateway may still do what an earlier stay asked for,
        // as biboumi does, and then gives no reason.
        case .shutdown, .technical, nil: retryLater()
        case .kicked, .banned, .affiliation, .membersOnly: session.isWanted = false
        }
        leave(session, reason)
    }

    private func leave(_ session: RoomSession, _ reason: RoomError?) {
        session.interrupt()
        session.standing = .outside(reason)
        report(session)
    }
}

extension RoomInvitation {
    /// - Parameter rooms: The rooms of the list: their occupants invite for themselves, and not for the room.
    init(_ invitation: MultiUserChat.Invitation, rooms: Set<JID>) {
        let inviter = invitation.inviter.map { jid in
            jid.bare == invitation.room || rooms.contains(jid.bare)
                ? ChatAddress(full: jid) : ChatAddress(jid)
        }
        self.init(
            to: ChatAddress(invitation.room), from: inviter, reason: invitation.reason,
            password: invitation.password, isMediated: invitation.isMediated)
    }
}
