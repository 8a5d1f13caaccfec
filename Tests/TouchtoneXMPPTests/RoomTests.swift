// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of rooms on an independent server.
final class RoomTests: XMPPTestCase {
    func testRoomIsCreatedOnlyIfWantedAndCarriesMessages() throws {
        try TestServer.requireProsody("rooms of ejabberd differ in what they tell")
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let alan = try RoomFixture("alan")
            XCTAssertEqual(try grace.refusal(room, as: "Grace"), .missing)
            XCTAssertNil(grace.room(room))
            try grace.join(room, as: "Grace")
            XCTAssertEqual(grace.room(room)?.standing, .joined)
            XCTAssertEqual(grace.room(room)?.rights.subtracting(.moderate), [.speak, .kick, .ban, .own])
            try alan.join(room, as: "alan", creates: false)
            grace.send("hello", to: room)
            waitUntil("both have it") { grace.texts(room) == ["hello"] && alan.texts(room) == ["hello"] }
            waitUntil("the room has it") { grace.messages(room).map(\.state) == [.sent] }
            alan.send("hi", to: room)
            waitUntil("both have the answer") {
                grace.texts(room).count == 2 && alan.messages(room).last?.state == .sent
            }
            XCTAssertEqual(grace.texts(room), ["hello", "hi"])
            XCTAssertEqual(alan.texts(room), ["hello", "hi"])
            guard case .occupant(let occupant)? = grace.messages(room).last?.sender else {
                return XCTFail("\(grace.messages(room))")
            }
            XCTAssertEqual(occupant.nickname, "alan")
            XCTAssertNotNil(occupant.id)
            XCTAssertEqual(grace.chat.buddies.row(of: ChatAddress(room))?.unread, 1)
            waitUntil("the entrance is told") { grace.notices(room).contains("alan entered the room.") }
            try grace.chat.leave(ChatAddress(room))
            waitUntil("she has left") { alan.notices(room).last == "Grace left the room." }
            XCTAssertNil(grace.room(room))
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testPublicRoomsAreListed() throws {
        try onMainActor {
            let (room, secret) = (try newRoom(), try newRoom())
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            for (jid, isPublic) in [(room, "1"), (secret, "0")] {
                try grace.join(jid, as: "grace")
                let form = DataForm.submission(
                    "http://jabber.org/protocol/muc#roomconfig",
                    [("muc#roomconfig_publicroom", isPublic), ("muc#roomconfig_roomname", "Tea")])
                let client = grace.program.client
                _ = try awaited {
                    try await client.request(
                        .set, to: jid, XMLElement("query", MultiUserChat.owner, [:], [form]))
                }
            }
            let chat = alan.chat
            let listed = try awaited { try await chat.publicRooms() }
            // ejabberd adds the number of occupants.
            XCTAssert(
                listed.contains { $0.address == ChatAddress(room) && $0.name.hasPrefix("Tea") }, "\(listed)")
            XCTAssertFalse(listed.contains { $0.address == ChatAddress(secret) })
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testRefusalsHaveReasons() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let alan = try RoomFixture("alan")
            try grace.join(room, as: "same")
            XCTAssertEqual(try alan.refusal(room, as: "same"), .nicknameTaken)
            XCTAssertNil(alan.room(room))
            XCTAssertEqual(try alan.refusal(grace.account.jid.bare, as: "alan"), .notARoom)
            try alan.join(room, as: "other")
            waitUntil("he is seen") { grace.xmpp.roomSessions.people(in: ChatAddress(room)).count == 2 }
            let (chat, person) = (grace.chat, try grace.person("other", in: room))
            try awaited {
                try await chat.remove(person, from: ChatAddress(room), isBanned: true, reason: "It’s <late>.")
            }
            waitUntil("he is out") { alan.room(room)?.standing == .outside(.banned) }
            waitUntil("it is told") {
                let notice = alan.notices(room).last ?? ""
                return notice.hasPrefix("You were banned from the room") && notice.contains("It’s <late>.")
            }
            XCTAssertEqual(try alan.refusal(room, as: "other"), .banned)
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testTopicKickAndNicknameAreTold() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            let alan = try RawOccupant("alan", in: room)
            let address = ChatAddress(room)
            try grace.chat.setTopic("tea", of: address)
            waitUntil("the topic is set") { grace.room(room)?.topic == "tea" }
            waitUntil("it is told") { grace.notices(room).contains("grace changed the topic to: tea") }
            alan.session.client.send(Presence(to: try XCTUnwrap(room.with(resource: "turing"))).element)
            waitUntil("he is renamed") { grace.notices(room).contains("alan is now known as turing.") }
            let (chat, person) = (grace.chat, try grace.person("turing", in: room))
            try awaited { try await chat.remove(person, from: address, isBanned: false) }
            waitUntil("he is out") { !alan.isInside }
            waitUntil("it is told") { grace.notices(room).contains { $0.hasPrefix("turing was removed") } }
            // Notices are never unread.
            XCTAssertEqual(grace.chat.buddies.row(of: address)?.unread, 0)
            grace.end()
        }
    }

    func testRefusedTopicIsTold() throws {
        try TestServer.requireProsody("ejabberd lets an occupant set this topic")
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "grace")
            try alan.join(room, as: "alan")
            try alan.chat.setTopic("mine", of: ChatAddress(room))
            waitUntil("it is told") {
                alan.notices(room).contains { $0.hasPrefix("The topic was not changed. This isn’t allowed.") }
            }
            XCTAssertEqual(alan.room(room)?.topic, "")
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testVisitorAsksToSpeak() throws {
        try TestServer.requireProsody("rooms of ejabberd differ in what they let a visitor do")
        try onMainActor {
            let room = try newRoom()
            let (owner, grace) = (try RoomFixture("owner"), try RoomFixture("grace"))
            try owner.join(room, as: "owner")
            let form = DataForm.submission(
                "http://jabber.org/protocol/muc#roomconfig", [("muc#roomconfig_moderatedroom", "1")])
            let client = owner.program.client
            _ = try awaited {
                try await client.request(
                    .set, to: room, XMLElement("query", MultiUserChat.owner, [:], [form]))
            }
            try grace.join(room, as: "grace", creates: false)
            XCTAssertEqual(grace.room(room)?.rights, [])
            try grace.chat.requestVoice(in: ChatAddress(room))
            waitUntil("the moderator is asked") {
                owner.notices(room).contains { $0.hasPrefix("grace would like to speak.") }
            }
            let (chat, person) = (owner.chat, try owner.person("grace", in: room))
            try awaited { try await chat.change(person, to: .role(.participant), in: ChatAddress(room)) }
            waitUntil("she may speak") { grace.room(room)?.rights == .speak }
            // Only moderators may do that.
            let (other, superior) = (grace.chat, try grace.person("owner", in: room))
            XCTAssertThrowsError(
                try awaited {
                    try await other.change(superior, to: .role(.visitor), in: ChatAddress(room))
                })
            for fixture in [owner, grace] { fixture.end() }
        }
    }

    func testTakenNicknameLeavesUserInRoom() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            try grace.join(room, as: "grace")
            let alan = try RawOccupant("alan", in: room)
            alan.say("hello")
            waitUntil("it has come") { grace.texts(room) == ["hello"] }
            XCTAssertEqual(try grace.refusal(room, as: "alan"), .nicknameTaken)
            XCTAssertEqual(grace.room(room)?.standing, .joined)
            XCTAssertEqual(grace.room(room)?.nickname, "grace")
            grace.send("still here", to: room)
            waitUntil("all have it") { alan.texts == ["hello", "still here"] }
            try grace.join(room, as: "hopper")
            XCTAssertEqual(grace.room(room)?.nickname, "hopper")
            waitUntil("it is told") { grace.notices(room).contains("You are now known as hopper.") }
            grace.send("it is me", to: room)
            waitUntil("it is sent") { grace.messages(room).map(\.state) == [.received, .sent, .sent] }
            XCTAssertEqual(grace.texts(room), ["hello", "still here", "it is me"])
            // The room reflects a message to its sender first.
            waitUntil("all have it") { alan.texts == ["hello", "still here", "it is me"] }
            grace.end()
        }
    }

    func testInvitationsAreOnlyShown() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let alan = try RoomFixture("alan")
            try alan.join(room, as: "alan")
            try alan.chat.invite(grace.address.text, to: ChatAddress(room), reason: "tea")
            waitUntil("she is invited") { grace.chat.buddies.invitations.map(\.room) == [ChatAddress(room)] }
            XCTAssertEqual(grace.chat.buddies.invitations.first?.inviter, alan.address)
            XCTAssertEqual(grace.chat.buddies.invitations.first?.reason, "tea")
            let invitation = try XCTUnwrap(grace.chat.buddies.invitations.first)
            grace.chat.decline(invitation)
            XCTAssertEqual(grace.chat.buddies.invitations, [])
            let mediated = MultiUserChat.mediatedInvitation(
                of: grace.account.jid.bare, to: room, reason: "again")
            alan.program.client.send(mediated.element)
            waitUntil("the room invites her") { grace.chat.buddies.invitations.first?.isMediated == true }
            XCTAssertEqual(alan.xmpp.roomSessions.people(in: ChatAddress(room)).count, 1)
            try grace.join(room, as: "grace", creates: false)
            XCTAssertEqual(grace.chat.buddies.invitations, [])
            waitUntil("she is in") { alan.xmpp.roomSessions.people(in: ChatAddress(room)).count == 2 }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testBookmarksAreSharedByDevices() throws {
        try TestServer.requireProsody(
            "ejabberd does not tell other devices of bookmarks in the private storage")
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let other = try RoomFixture("grace", account: grace.account)
            try grace.join(room, as: "Grace")
            waitUntil("the other device follows") { other.room(room)?.standing == .joined }
            XCTAssertEqual(other.room(room)?.nickname, "Grace")
            waitUntil("it is bookmarked") { grace.room(room)?.record.isBookmarked == true }
            // The program enters its rooms when it starts again, also those that are stored only on the server.
            grace.restart()
            waitUntil("it has returned") { grace.room(room)?.standing == .joined }
            let third = try RoomFixture("grace", account: grace.account)
            waitUntil("a new device follows") { third.room(room)?.standing == .joined }
            try grace.chat.leave(ChatAddress(room))
            waitUntil("all have left") { other.room(room) == nil && third.room(room) == nil }
            for fixture in [grace, other, third] { fixture.end() }
        }
    }

    func testPrivateMessagesAreConversationsOfTheirOwn() throws {
        try onMainActor {
            let room = try newRoom()
            let grace = try RoomFixture("grace")
            let alan = try RoomFixture("alan")
            try grace.join(room, as: "Grace")
            try alan.join(room, as: "Alan")
            let (toAlan, toGrace) = (room.with(resource: "Alan"), room.with(resource: "Grace"))
            let (partner, self_) = (
                ChatAddress(full: try XCTUnwrap(toAlan)), ChatAddress(full: try XCTUnwrap(toGrace))
            )
            grace.chat.send("psst", to: partner)
            waitUntil("he has it") { alan.store.table.messages(of: self_).map(\.text) == ["psst"] }
            waitUntil("the server has it") {
                grace.store.table.messages(of: partner).first?.state != .waiting
            }
            XCTAssertEqual(alan.texts(room), [])
            let name = "Grace in \(room.local)"
            XCTAssertEqual(alan.chat.buddies.name(of: self_), name)
            alan.chat.send("what", to: self_)
            waitUntil("she has the answer") { grace.store.table.messages(of: partner).count == 2 }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testCorrectionCountsOnlyFromItsSender() throws {
        for server in TestServer.current.roomServices {
            try onMainActor {
                let room = try newRoom(server)
                let grace = try RoomFixture("grace")
                try grace.join(room, as: "grace")
                let (alan, mallory) = (
                    try RawOccupant("alan", in: room), try RawOccupant("mallory", in: room)
                )
                alan.say("helo", id: "original-message-1")
                waitUntil("it has come") { grace.texts(room) == ["helo"] }
                mallory.say("evil", extensions: [Correction.element(of: "original-message-1")])
                waitUntil("it is a message of its own") { grace.texts(room).count == 2 }
                alan.say("hello", extensions: [Correction.element(of: "original-message-1")])
                waitUntil("it is corrected") { grace.texts(room) == ["hello", "evil"] }
                XCTAssertEqual(grace.messages(room).first?.isCorrected, true)
                grace.send("mine", to: room)
                waitUntil("it is sent") { grace.messages(room).last?.state == .sent }
                let conversation = try XCTUnwrap(grace.chat.selected)
                let message = try XCTUnwrap(grace.messages(room).last)
                conversation.correct(message, to: "my own")
                waitUntil("all have it") { alan.texts.last == "my own" }
                waitUntil("it is settled") {
                    grace.messages(room).last?.text == "my own"
                        && grace.messages(room).last?.correction == nil
                }
                XCTAssertEqual(grace.texts(room).count, 3)
                grace.end()
            }
        }
    }
}
