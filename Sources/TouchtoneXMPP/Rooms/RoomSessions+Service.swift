// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

// The requests of `Chat` about rooms.
extension RoomSessions: RoomService {
    /// Enters a room, and bookmarks it.
    func join(_ room: ChatAddress, as nickname: String, password: String, creation: RoomCreation?)
        async throws(RoomError)
    {
        guard case .ready = account.stage, account.client.state == .online else { throw .offline }
        let isKnown = session(room.jid) != nil
        guard let session = add(RoomRecord(room, nickname: nickname)) else { throw .notARoom }
        if session.standing == .joined {
            guard session.state.nickname != nickname else { return }
            try await rename(session, to: nickname)
            return publish(session)
        }
        session.record.nickname = nickname
        if !password.isEmpty { session.password = password }
        do throws(RoomError) {
            try await enter(session, creation: creation)
        } catch {
            if !isKnown { remove(session) }
            throw error
        }
        (session.isWanted, session.record.isAutojoined) = (true, true)
        report(session)
        publish(session)
    }

    /// Leaves a room, and removes its bookmark.
    func leave(_ room: ChatAddress) {
        guard let session = session(room.jid) else { return }
        leave(session)
        Task { [account, bookmarks] in
            do throws(RequestError) {
                try await bookmarks.save(nil, of: session.jid)
            } catch {
                account.onDropped?("the bookmark of \(session.jid) was not removed: \(error)")
            }
        }
    }

    func people(in room: ChatAddress) -> [RoomPerson] {
        guard let state = session(room.jid)?.state, state.phase == .inside else { return [] }
        return state.occupants.map { name, occupant in
            RoomPerson(
                nickname: name, role: occupant.item.role, affiliation: occupant.item.affiliation,
                address: occupant.item.jid.map { ChatAddress($0) },
                availability: Availability(occupant.show), isMe: name == state.nickname)
        }
    }

    func setNotifications(_ level: NotificationLevel, in room: ChatAddress) {
        guard let session = session(room.jid) else { return keep(level, for: room) }
        session.take(level)
        report(session)
        session.unsavedLevel = level
        if session.record.isBookmarked { publish(session) }
    }

    func setPinned(_ isPinned: Bool, _ room: ChatAddress) {
        // A room that is not loaded yet comes with the stored choice.
        guard let session = session(room.jid) else { return }
        session.unsavedPin = isPinned
        if session.record.isBookmarked { publish(session) }
    }

    func requestVoice(in room: ChatAddress) {
        guard let session = session(room.jid) else { return }
        account.send(MultiUserChat.requestingVoice(in: session.jid).element)
    }

    /// Changes the topic of a room; if it refuses, its conversation says so.
    func setTopic(_ topic: String, of room: ChatAddress) {
        guard let session = session(room.jid) else { return }
        account.send(session.settingTopic(topic).element)
    }

    /// Invites a person to a room: by the room, if only members may enter it.
    func invite(_ person: ChatAddress, to room: ChatAddress, reason: String) {
        guard let jid = person.jid, let session = session(room.jid) else { return }
        let isClosed = session.state.features.contains("muc_membersonly")
        let message =
            isClosed
            ? MultiUserChat.mediatedInvitation(of: jid, to: session.jid, reason: reason)
            : MultiUserChat.invitation(of: jid, to: session.jid, reason: reason)
        account.send(message.element)
    }

    /// Tells the inviter that the user declined, if the room passed the invitation on.
    func decline(_ invitation: RoomInvitation) {
        guard invitation.isMediated, let room = invitation.room.jid, let inviter = invitation.inviter?.jid
        else { return }
        account.send(MultiUserChat.declining(room, from: inviter).element)
    }
}
