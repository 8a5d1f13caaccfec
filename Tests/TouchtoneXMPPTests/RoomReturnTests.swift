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
            waitUntil("it is told") { grace.notices(room).contains("grace changed the topic to: tea") }
            grace.cut()
            alan.say("missed")
            grace.store.table.setArchiveCursor("forgotten", of: ChatAddress(room))
            grace.restart()
            waitUntil("the missed message has come") { grace.texts(room) == ["known", "missed"] }
            grace.end()
        }
    }

    func testMessagesAfterTheEmptyPastOfARoomAreUnread() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            waitUntil("the archive is known to be empty") {
                grace.store.table.archiveCursor(of: ChatAddress(room)) == ""
            }
            let alan = try RawOccupant("alan", in: room)
            grace.cut()
            let texts = (0..<20).map { "missed \($0)" }
            for text in texts { alan.say(text) }
            waitUntil("all are said") { alan.texts == texts }
            grace.restart()
            waitUntil("all have come") { grace.texts(room) == texts }
            waitUntil("all are unread") { grace.chat.buddies.row(of: ChatAddress(room))?.unread == 20 }
            grace.end()
        }
    }

    func testOnlyThePastOfANewRoomIsRead() throws {
        try TestServer.requireProsody("all rooms of ejabberd have an archive here")
        try onMainActor {
            let room = try newRoom("plain.localhost")
            let alan = try RawOccupant("alan", in: room)
            alan.session.client.send(
                XMLElement(
                    "iq", Namespace.client, ["type": "set", "id": "defaults", "to": room.description],
                    [
                        XMLElement(
                            "query", MultiUserChat.owner, [:],
                            [XMLElement("x", DataForm.namespace, ["type": "submit"])])
                    ]))
            alan.say("old")
            waitUntil("it is said") { alan.texts == ["old"] }
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace", creates: false)
            waitUntil("the past has come") { grace.texts(room) == ["old"] }
            XCTAssertEqual(grace.chat.buddies.row(of: ChatAddress(room))?.unread, 0)
            alan.say("new")
            waitUntil("it has come") { grace.texts(room) == ["old", "new"] }
            waitUntil("it is unread") { grace.chat.buddies.row(of: ChatAddress(room))?.unread == 1 }
            grace.cut()
            alan.say("missed")
            grace.restart()
            waitUntil("it has come") { grace.texts(room) == ["old", "new", "missed"] }
            waitUntil("it is unread") { grace.chat.buddies.row(of: ChatAddress(room))?.unread == 2 }
            grace.end()
        }
    }

    /// biboumi leaves the channel late, after the next start of the program has entered it.
    func testRoomThatIsLeftForNoReasonIsEnteredAgain() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            let alan = try RawOccupant("alan", in: room)
            grace.program.client.send(
                XMLElement("presence", Namespace.client, ["type": "unavailable", "to": "\(room)/grace"]))
            waitUntil("she is outside") { grace.room(room)?.standing == .outside(nil) }
            grace.program.clock.advance(by: .seconds(2))
            waitUntil("she is back") { grace.room(room)?.standing == .joined }
            XCTAssert(alan.isInside)
            grace.end()
        }
    }

    func testRoomThatRemovesUserIsEnteredAgainAfterAWhile() throws {
        try TestServer.requireProsody("ejabberd keeps an occupant whose device refuses a message")
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            // A room without people ends.
            let alan = try RawOccupant("alan", in: room)
            let client = grace.program.client
            let removal = "The room lost its connection to you."
            for (index, delay) in [Duration.seconds(2), .seconds(4)].enumerated() {
                // The room removes an occupant whose server refuses what the room sends.
                client.send(
                    XMLElement(
                        "message", Namespace.client, ["type": "error", "to": "\(room)/grace"],
                        [
                            XMLElement(
                                "error", Namespace.client, ["type": "cancel"],
                                [XMLElement("recipient-unavailable", Namespace.stanzaErrors)])
                        ]))
                waitUntil("it is told") { grace.notices(room).count { $0 == removal } > index }
                try awaited { try await client.ping() }
                XCTAssertEqual(grace.room(room)?.standing, .outside(nil))
                grace.program.clock.advance(by: delay)
                waitUntil("she is back") { grace.room(room)?.standing == .joined }
                XCTAssert(alan.isInside)
            }
            grace.end()
        }
    }
}
