// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A room of the list, with the state of its connection.
@MainActor
final class RoomSession {
    let jid: JID
    var record: RoomRecord
    var state: RoomState
    var standing = Room.Standing.outside(nil)
    /// The password of the room; empty for none.
    var password = ""
    /// The contents of the bookmark, with what other clients have stored in it; nil if there is none.
    var bookmark: XMLElement?
    /// Whether the user wants to be in the room.
    var isWanted = false
    /// Whether the room is new to the user: its past is not unread.
    var isFirstVisit = true
    /// Whether messages can be sent: the user is in the room, and has what was missed.
    var isReady = false
    /// The messages that were sent during this stay.
    ///
    /// They stay here when they have come back: the store may not have recorded that yet, and would send them again.
    var sent: Set<String> = []
    /// The messages that the room has refused once as those of a stranger; a second time, they fail.
    var bounced: Set<String> = []
    /// The receipts and markers that wait until the user is in the room.
    private(set) var confirmations: [Message] = []
    /// The ids of the last messages that set a topic, which the room may refuse.
    private(set) var topicNames: [String] = []
    /// The life of the present stay in the room, from the attempt to enter on.
    private(set) var stay = TaskScope()
    /// The time at which the room was heard last.
    var lastHeard: Duration
    /// Whether a change of the people will be reported at the end of this turn of the loop.
    var isReporting = false
    let catchUp: CatchUp
    /// The timer of the second look into the archive.
    var archiveTimer: (any ScheduledTimer)?
    private var waiter: CheckedContinuation<Result<Bool, RoomError>, Never>?

    init(_ record: RoomRecord, at jid: JID, now: Duration, catchUp: CatchUp) {
        (self.record, self.jid, state, lastHeard) = (record, jid, RoomState(jid), now)
        self.catchUp = catchUp
    }

    var address: ChatAddress { record.address }

    /// The state to show.
    var room: Room {
        let isInside = standing == .joined
        return Room(
            record, standing: standing, topic: state.topic, peopleCount: isInside ? state.occupants.count : 0,
            rights: isInside ? state.rights : [])
    }

    /// Waits until the room has let the user in, or has changed the nickname; returns whether the room is new.
    func entered(_ begin: () -> Void) async -> Result<Bool, RoomError> {
        settle(.failure(.offline))
        begin()
        return await withCheckedContinuation { waiter = $0 }
    }

    /// Creates the message that sets the topic.
    func settingTopic(_ topic: String) -> Message {
        var message = Message(.groupchat, to: jid, id: RandomText.make(16))
        message.subject = topic
        topicNames = topicNames.suffix(9) + [message.id].compactMap { $0 }
        return message
    }

    /// Stores a receipt or a marker that cannot be sent now.
    func keep(_ confirmation: Message) {
        if confirmations.count < SendWindow.maximumConfirmations { confirmations.append(confirmation) }
    }

    /// Returns the waiting receipts and markers, and forgets them.
    func takeConfirmations() -> [Message] {
        defer { confirmations = [] }
        return confirmations
    }

    /// Ends the wait of `entered`.
    func settle(_ result: Result<Bool, RoomError>) {
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: result)
    }

    /// Forgets the stay in the room, because its stream has ended.
    func interrupt() {
        stay.end()
        stay = TaskScope()
        (isReady, sent) = (false, [])
        state.end()
        archiveTimer?.cancel()
        archiveTimer = nil
        catchUp.reset()
        settle(.failure(.offline))
    }
}
