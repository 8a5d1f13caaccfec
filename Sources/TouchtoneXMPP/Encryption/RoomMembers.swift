// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The members of private rooms; messages are encrypted for the absent ones, too.
@MainActor
final class RoomMembers {
    private struct Known {
        let members: Set<JID>
        /// Those who were in the room at that time.
        let present: Set<JID>
        let time: Duration
    }

    /// The time after which the room is asked again: nobody tells of those who are removed while they are absent.
    private static let patience = Duration.seconds(60)

    /// The greatest number of members whose keys are learnt for the past of a room.
    private static let maximumLearnt = 100

    private let clock: any Scheduler
    private var known: [JID: Known] = [:]
    /// The rooms whose members’ keys are being learnt, or are known on this stream.
    private var learning: [JID: Task<Void, Never>] = [:]

    init(_ clock: any Scheduler) { self.clock = clock }

    func forget() { (known, learning) = ([:], [:]) }

    /// Returns the members of a room besides the user; nil if the room does not tell them.
    func of(_ session: RoomSession, in rooms: RoomSessions) async -> Set<JID>? {
        let present = Set(session.state.occupants.values.compactMap { $0.item.jid?.bare })
        if let known = known[session.jid], known.present == present, known.time + Self.patience > clock.now {
            return known.members
        }
        guard let members = await rooms.members(of: session) else { return nil }
        known[session.jid] = Known(members: members, present: present, time: clock.now)
        return members
    }

    /// Learns the keys of all members of a private room, once on each stream: what was said before the user entered may not
    /// tell who said it, and the key of its sender’s device does.
    ///
    /// A key counts only if its owner has published it: the room, or another member, could name any device.
    func learnKeys(
        of session: RoomSession, in rooms: RoomSessions, and own: ChatAddress, by devices: DeviceDirectory
    )
        async
    {
        let task =
            learning[session.jid]
            ?? Task {
                guard let found = await of(session, in: rooms) else { return }
                let accounts = found.map { ChatAddress($0) }.sorted().prefix(Self.maximumLearnt)
                _ = try? await devices.prepare(accounts + [own])
            }
        learning[session.jid] = task
        await task.value
    }
}
