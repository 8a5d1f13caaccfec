// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the return to rooms: what was missed, what is old, and when a room is entered again.
final class RoomReturnTests: XMPPTestCase {
    func testMissedMessagesAreFoundAfterTheArchiveHasForgotten() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            let alan = try RawOccupant("alan", in: room)
            alan.say("known")
            waitUntil("it has come") { grace.texts(room) == ["known"] }
            // A notice of this device is no message of the room, and says nothing about what the archive has.
            grace.wall.lead = 3_600_000
            try grace.chat.setTopic("tea", of: ChatAddress(room))
            waitUntil("it is told") { !grace.notices(room).isEmpty }
            grace.cut()
            alan.say("missed")
            grace.store.table.setArchiveCursor("forgotten", of: ChatAddress(room))
            grace.restart()
            waitUntil("the missed message has come") { grace.texts(room) == ["known", "missed"] }
            grace.end()
        }
    }
}
