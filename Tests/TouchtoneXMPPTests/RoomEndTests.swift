// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of rooms that end, and of those that last, on an independent server.
final class RoomEndTests: XMPPTestCase {
    func testEndOfRoomIsToldWithReasonAndNewAddress() throws {
        try onMainActor {
            let (room, next) = (try newRoom(), try newRoom())
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "Grace")
            try alan.join(room, as: "alan", creates: false)
            let reason = XMLElement("reason", MultiUserChat.owner, text: "We have moved.")
            let destroy = XMLElement("destroy", MultiUserChat.owner, ["jid": next.description], [reason])
            let client = grace.program.client
            _ = try awaited {
                try await client.request(
                    .set, to: room, XMLElement("query", MultiUserChat.owner, [:], [destroy]))
            }
            for fixture in [grace, alan] {
                waitUntil("the end is told") {
                    fixture.room(room)?.standing == .outside(nil)
                        && fixture.notices(room).last
                            == "The room was closed. Continue in \(next). Reason: We have moved."
                }
                XCTAssertFalse(fixture.notices(room).contains { $0.contains(" left the room") })
                XCTAssertEqual(fixture.xmpp.roomSessions.people(in: ChatAddress(room)), [])
                fixture.end()
            }
        }
    }

    func testRoomLastsWithoutAnybodyInIt() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "Grace")
            waitUntil("it is bookmarked") { grace.room(room)?.record.isBookmarked == true }
            grace.end()
            let alan = try RoomFixture("alan")
            waitUntil("she has left the room") {
                (try? awaited { [client = alan.program.client] in try await client.info(of: room) })
                    .map { $0.features.contains("muc_persistent") } == true
            }
            let again = try RoomFixture("grace", account: grace.account)
            waitUntil("she is back") { again.room(room)?.standing == .joined }
            for fixture in [again, alan] { fixture.end() }
        }
    }

    func testPrivateGroupIsForMembersAloneAndNamed() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            let chat = grace.chat
            try awaited {
                try await chat.join(
                    room.description, as: "Grace", creation: RoomCreation(name: "Tea Party", isPrivate: true))
            }
            let info = try awaited { [client = alan.program.client] in try await client.info(of: room) }
            XCTAssertTrue(
                info.features.isSuperset(of: ["muc_membersonly", "muc_nonanonymous", "muc_persistent"]))
            XCTAssertEqual(grace.room(room)?.record.name, "Tea Party")
            XCTAssertEqual(try alan.refusal(room, as: "alan"), .membersOnly)
            try chat.invite(alan.address.text, to: ChatAddress(room), reason: "")
            waitUntil("he is invited") { !alan.chat.buddies.invitations.isEmpty }
            try alan.join(room, as: "alan", creates: false)
            waitUntil("he is there") { grace.xmpp.roomSessions.people(in: ChatAddress(room)).count == 2 }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    /// The room of a bookmark may be gone; its bookmark stays, and it is made again if the user wants that.
    func testMissingRoomOfBookmarkIsMadeAgain() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let bookmark = XMLElement("conference", PubSub.bookmarks, ["autojoin": "true"])
            try awaited { [bookmarks = grace.xmpp.bookmarks] in try await bookmarks.save(bookmark, of: room) }
            grace.restart()
            waitUntil("it is missing") { grace.room(room)?.standing == .outside(.missing) }
            XCTAssertEqual(try grace.refusal(room, as: "Grace"), .missing)
            XCTAssertNotNil(grace.room(room))
            try grace.join(room, as: "Grace")
            XCTAssertEqual(grace.room(room)?.standing, .joined)
            grace.end()
        }
    }

    /// A gateway may keep a message to itself: it is not sent again and again.
    func testServerConfirmsMessageOfGateway() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "Grace")
            let rooms = grace.xmpp.roomSessions
            let sent = Message(.groupchat, to: room, id: "m1", body: "hello").element
            XCTAssertNil(rooms.acknowledged(sent), "the room sends it back")
            rooms.session(room)?.state.begin(as: "Grace", features: [], isGateway: true)
            XCTAssertEqual(rooms.acknowledged(sent), .acknowledged(buddy: ChatAddress(room), name: "m1"))
            XCTAssertNil(rooms.acknowledged(Message(to: room, id: "m1", body: "hello").element))
            grace.end()
        }
    }
}
