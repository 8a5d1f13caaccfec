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

    private let clock: any Scheduler
    private var known: [JID: Known] = [:]

    init(_ clock: any Scheduler) { self.clock = clock }

    func forget() { known = [:] }

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
}
