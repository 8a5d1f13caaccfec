// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

// The requests of `Chat` about rooms.
extension XMPPChat: RoomService {
    /// The account's rooms.
    public var rooms: (any RoomService)? { self }

    /// Enters a room, and bookmarks it.
    public func join(_ room: ChatAddress, as nickname: String, password: String, creates: Bool)
        async throws(RoomError)
    {
        guard case .ready = stage, client.state == .online else { throw .offline }
        let isKnown = roomSessions.session(room.jid) != nil
        guard let session = roomSessions.add(RoomRecord(room, nickname: nickname)) else { throw .notARoom }
        if session.standing == .joined {
            guard session.state.nickname != nickname else { return }
            try await roomSessions.rename(session, to: nickname)
            return roomSessions.publish(session)
        }
        session.record.nickname = nickname
        if !password.isEmpty { session.password = password }
        do throws(RoomError) {
            try await roomSessions.enter(session, creates: creates)
        } catch {
            if !isKnown { roomSessions.remove(session) }
            throw error
        }
        (session.isWanted, session.record.isAutojoined) = (true, true)
        roomSessions.report(session)
        roomSessions.publish(session)
    }

    /// Leaves a room, and removes its bookmark.
    public func leave(_ room: ChatAddress) {
        guard let session = roomSessions.session(room.jid) else { return }
        roomSessions.leave(session)
        Task {
            do throws(RequestError) {
                try await roomSessions.save(nil, of: session.jid)
            } catch {
                onDropped?("the bookmark of \(session.jid) was not removed: \(error)")
            }
        }
    }

    /// Returns the people in a room, in no particular order.
    public func people(in room: ChatAddress) -> [RoomPerson] {
        guard let state = roomSessions.session(room.jid)?.state, state.phase == .inside else { return [] }
        return state.occupants.map { name, occupant in
            RoomPerson(
                nickname: name, role: occupant.item.role, affiliation: occupant.item.affiliation,
                address: occupant.item.jid.map { ChatAddress($0) },
                availability: Availability(occupant.show), isMe: name == state.nickname)
        }
    }

    /// Sets whether all messages of a room cause a notification.
    public func setNotifiesAll(_ notifiesAll: Bool, in room: ChatAddress) {
        guard let session = roomSessions.session(room.jid) else { return }
        session.record.notifiesAll = notifiesAll
        roomSessions.report(session)
    }

    /// Asks the moderators of a room to let the user speak.
    public func requestVoice(in room: ChatAddress) {
        guard let session = roomSessions.session(room.jid) else { return }
        send(MultiUserChat.requestingVoice(in: session.jid).element)
    }

    /// Changes the topic of a room; if it refuses, its conversation says so.
    public func setTopic(_ topic: String, of room: ChatAddress) {
        guard let session = roomSessions.session(room.jid) else { return }
        send(session.settingTopic(topic).element)
    }

    /// Invites a person to a room: by the room, if only members may enter it.
    public func invite(_ person: ChatAddress, to room: ChatAddress, reason: String) {
        guard let jid = person.jid, let session = roomSessions.session(room.jid) else { return }
        let isClosed = session.state.features.contains("muc_membersonly")
        let message =
            isClosed
            ? MultiUserChat.mediatedInvitation(of: jid, to: session.jid, reason: reason)
            : MultiUserChat.invitation(of: jid, to: session.jid, reason: reason)
        send(message.element)
    }

    /// Tells the inviter that the user declined, if the room passed the invitation on.
    public func decline(_ invitation: RoomInvitation) {
        guard invitation.isMediated, let room = invitation.room.jid, let inviter = invitation.inviter?.jid
        else { return }
        send(MultiUserChat.declining(room, from: inviter).element)
    }
}
