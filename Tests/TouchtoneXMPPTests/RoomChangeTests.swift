// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of roles and affiliations on an independent server.
final class RoomChangeTests: XMPPTestCase {
    func testOwnerChangesRolesAndAffiliations() throws {
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            try owner.join(room, as: "owner")
            try alan.join(room, as: "alan", creates: false)
            waitUntil("he is seen") { owner.xmpp.roomSessions.people(in: address).count == 2 }
            let (chat, other) = (owner.chat, alan.chat)
            let steps: [(RoomChange, RoomRights)] = [
                (.role(.visitor), []), (.role(.participant), .speak), (.role(.moderator), [.speak, .kick]),
                (.affiliation(.admin), [.speak, .kick, .ban]),
            ]
            for (change, rights) in steps {
                let person = try owner.person("alan", in: room)
                try awaited { try await chat.change(person, to: change, in: address) }
                waitUntil("he may: \(change)") { alan.room(room)?.rights.subtracting(.moderate) == rights }
            }
            // An administrator cannot remove an owner.
            let (superior, person) = (
                try alan.person("owner", in: room), try owner.person("alan", in: room)
            )
            XCTAssertThrowsError(
                try awaited { try await other.change(superior, to: .affiliation(.member), in: address) })
            try awaited { try await chat.change(person, to: .affiliation(.owner), in: address) }
            waitUntil("he is an owner") { alan.room(room)?.rights.contains(.own) == true }
            try awaited { try await chat.change(person, to: .affiliation(.member), in: address) }
            waitUntil("he is a member") { alan.room(room)?.rights == .speak }
            XCTAssertEqual(try owner.person("alan", in: room).affiliation, .member)
            let hidden = RoomPerson(
                nickname: "nobody", role: .participant, affiliation: .none, address: nil,
                availability: .online, isMe: false)
            XCTAssertThrowsError(
                try awaited { try await chat.change(hidden, to: .affiliation(.member), in: address) })
            for fixture in [owner, alan] { fixture.end() }
        }
    }

    func testModeratorDeletesMessageOfSomebodyElse() throws {
        try XCTSkipIf(TestServer.current == .prosody && !Prosody.canModerate, "prosody-modules is missing")
        try onMainActor {
            let room = try newRoom()
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            try owner.join(room, as: "owner")
            try alan.join(room, as: "alan", creates: false)
            try XCTSkipIf(
                TestServer.current != .prosody && owner.room(room)?.rights.contains(.moderate) != true,
                "ejabberd 23.01 lacks it")
            alan.send("buy cheap scones", to: room)
            alan.send("hello", to: room)
            for one in [owner, alan] {
                waitUntil("all have it") { one.texts(room) == ["buy cheap scones", "hello"] }
            }
            waitUntil("it is sent back") { alan.messages(room).allSatisfy { $0.state == .sent } }
            let (chat, other) = (owner.chat, alan.chat)
            let spam = owner.messages(room)[0]
            XCTAssertTrue(chat.canModerate(spam))
            XCTAssertFalse(other.canModerate(alan.messages(room)[1]), "a guest deletes only his own")
            try awaited { try await chat.moderate(spam, reason: "no advertisements") }
            for one in [owner, alan] {
                waitUntil("it is gone, for everybody") {
                    one.texts(room) == ["", "hello"]
                        && one.messages(room)[0].retraction?.moderation == "no advertisements"
                }
                XCTAssertEqual(one.messages(room)[0].retraction?.moderator, "owner")
            }
            XCTAssertFalse(chat.canModerate(owner.messages(room)[0]))
            XCTAssertThrowsError(
                try awaited { try await chat.moderate(owner.messages(room)[0], reason: "again") })
            for fixture in [owner, alan] { fixture.end() }
        }
    }

    func testAbsentMembersAndBannedPeopleAreListedAndChanged() throws {
        try TestServer.requireProsody("ejabberd lets this banned person in again")
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            try owner.join(room, as: "owner")
            try alan.join(room, as: "alan", creates: false)
            waitUntil("he is seen") { owner.xmpp.roomSessions.people(in: address).count == 2 }
            let (chat, other) = (owner.chat, alan.chat)
            let absentees = { @MainActor in try awaited { try await chat.absentees(of: address) } }
            XCTAssertEqual(try absentees(), [])
            XCTAssertEqual(
                try awaited { try await other.absentees(of: address) }, [], "a guest asks for nothing")
            let present = try owner.person("alan", in: room)
            try awaited { try await chat.change(present, to: .affiliation(.member), in: address) }
            XCTAssertEqual(try absentees(), [], "he is here")
            try alan.chat.leave(address)
            waitUntil("he has left") { owner.xmpp.roomSessions.people(in: address).count == 1 }
            XCTAssertEqual(try absentees(), [RoomPerson(absent: alan.address, .member)])
            // He is banned, and may come again.
            let member = try XCTUnwrap(absentees().first)
            try awaited { try await chat.remove(member, from: address, isBanned: true) }
            XCTAssertEqual(try absentees(), [RoomPerson(absent: alan.address, .outcast)])
            XCTAssertEqual(try alan.refusal(room, as: "alan"), .banned)
            let outcast = try XCTUnwrap(absentees().first)
            try awaited { try await chat.change(outcast, to: .affiliation(.none), in: address) }
            XCTAssertEqual(try absentees(), [])
            XCTAssertNil(try alan.refusal(room, as: "alan"))
            for fixture in [owner, alan] { fixture.end() }
        }
    }
}
