// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A room of the list, with the state of its connection.
@MainActor
final class RoomSession: ArchiveOwner {
    let jid: JID
    var record: RoomRecord
    var state: RoomState
    var standing = Room.Standing.outside(nil)
    var password = ""
    /// The contents of the bookmark, with what other clients have stored in it; nil if there is none.
    var bookmark: XMLElement?
    /// The choice of notifications that the bookmark on the server does not have yet; nil for none.
    var unsavedLevel: NotificationLevel?
    /// Whether the room is pinned, if the bookmark on the server does not say so yet; nil if it does.
    var unsavedPin: Bool?
    var isWanted = false
    /// Whether the room is new to the user: its past is not unread.
    var isFirstVisit = true
    /// Whether messages can be sent: the user is in the room, and has what was missed.
    var isReady = false
    /// The messages of this stay, also those that came back: the store may not know yet, and send them again.
    var sent: Set<String> = []
    /// The messages that the room has refused once as those of a stranger; a second time, they fail.
    var bounced: Set<String> = []
    private(set) var confirmations: [Message] = []
    /// The ids of the last messages that set a topic, which the room may refuse.
    private(set) var topicNames: [String] = []
    /// The life of the present stay in the room, from the attempt to enter on.
    private(set) var stay = TaskScope()
    var lastHeard: Duration
    var isReporting = false
    let archive: ArchiveReader
    var catchUp: CatchUp { archive.catchUp }
    private let account: AccountContext
    private var waiter: CheckedContinuation<Result<Bool, RoomError>, Never>?

    init(_ record: RoomRecord, at jid: JID, of account: AccountContext) {
        (self.record, self.jid, state, lastHeard) = (record, jid, RoomState(jid), account.clock.now)
        (self.account, archive) = (account, ArchiveReader(of: account, room: record.address))
        archive.owner = self
    }

    var address: ChatAddress { record.address }

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

    func settingTopic(_ topic: String) -> Message {
        var message = Message(.groupchat, to: jid, id: RandomText.make(16))
        message.subject = topic
        topicNames = topicNames.suffix(9) + [message.id].compactMap { $0 }
        return message
    }

    func take(_ level: NotificationLevel) { if level != .never { record.notifiesAll = level == .always } }

    func keep(_ confirmation: Message) {
        if confirmations.count < SendWindow.maximumConfirmations { confirmations.append(confirmation) }
    }

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
        archive.stop()
        catchUp.reset()
        settle(.failure(.offline))
    }
}

// MARK: - The archive

extension RoomSession {
    var reader: MessageReader {
        MessageReader(policy: state.policy(own: account.client.account.jid.bare, now: account.wall.now))
    }

    func lastTime() async -> ChatTime? { await lastMessage()?.time }

    /// Returns the last stored message that came from the room; nil if there is none.
    ///
    /// Notices and messages that wait to be sent are this device's own: the room may have sent others before them.
    func lastMessage() async -> ChatMessage? {
        var before: Int64?
        while true {
            let known = try? await account.store.messages(of: address, before: before, count: 100)
            guard let first = known?.first else { return nil }
            let last = known?.last { message in
                if case .occupant = message.sender { true } else { message.state == .sent }
            }
            if let last { return last }
            before = first.place
        }
    }
}
