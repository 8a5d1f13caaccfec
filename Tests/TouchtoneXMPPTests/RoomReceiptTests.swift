// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of receipts and read markers in rooms, on an independent server.
final class RoomReceiptTests: XMPPTestCase {
    func testMessagesOfAPrivateRoomAreConfirmed() throws {
        for server in TestServer.current.roomServices {
            try onMainActor {
                let room = try newRoom(server)
                let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
                try grace.join(room, as: "grace")
                try close(room, for: alan, by: grace)
                try alan.join(room, as: "alan", creates: false)
                waitUntil("the room is private") { grace.isPrivate(room) && alan.isPrivate(room) }
                grace.send("hello", to: room)
                waitUntil("it is delivered") { grace.messages(room).map(\.state) == [.delivered] }
                XCTAssertEqual(alan.chat.buddies.row(of: ChatAddress(room))?.unread, 1)
                grace.send("are you there?", to: room)
                waitUntil("it is delivered") {
                    grace.messages(room).map(\.state) == [.delivered, .delivered]
                }
                try alan.look(at: room)
                waitUntil("both are read") { grace.messages(room).map(\.state) == [.read, .read] }
                for fixture in [grace, alan] { fixture.end() }
            }
        }
    }

    /// It is true at each entry, but nobody has to read it each time.
    func testVisibleAddressesAreToldOnceForARoom() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "grace")
            try close(room, for: alan, by: grace)
            try alan.join(room, as: "alan", creates: false)
            let told = { alan.notices(room).count { $0 == "Everybody in this room can see your address." } }
            waitUntil("it is told") { told() == 1 }
            for number in 0..<2 {
                alan.restart()
                grace.send("message \(number)", to: room)
                waitUntil("he is back") { alan.texts(room).last == "message \(number)" }
            }
            XCTAssertEqual(told(), 1)
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testConfirmationsWaitForTheReturn() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "grace")
            try close(room, for: alan, by: grace)
            try alan.join(room, as: "alan", creates: false)
            waitUntil("the room is private") { grace.isPrivate(room) && alan.isPrivate(room) }
            waitUntil("the past is known") { alan.store.table.archiveCursor(of: ChatAddress(room)) != nil }
            alan.restart()
            grace.send("hello", to: room)
            waitUntil("he has it") { alan.texts(room) == ["hello"] }
            waitUntil("it is delivered") { grace.messages(room).map(\.state) == [.delivered] }
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testNothingIsConfirmedInAPublicRoom() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "grace")
            try alan.join(room, as: "alan", creates: false)
            let spy = try RawOccupant("spy", in: room)
            var (confirmations, requests) = (0, 0)
            spy.onMessage = { message in
                let isRequest = message.extension(Receipts.namespace, "request") != nil
                if isRequest || message.extension(ChatMarkers.namespace, "markable") != nil { requests += 1 }
                let isReceipt = Receipts.received(in: message) != nil
                if isReceipt || ChatMarkers.displayed(in: message) != nil { confirmations += 1 }
            }
            // A stranger asks for both, and confirms what nobody asked for.
            spy.say("who is there?", id: "spy-message", extensions: [Receipts.request, ChatMarkers.request])
            waitUntil("they have it") { alan.texts(room).count == 1 && grace.texts(room).count == 1 }
            try alan.look(at: room)
            grace.send("me", to: room)
            waitUntil("she is heard") { spy.texts == ["who is there?", "me"] }
            waitUntil("she knows it") { grace.messages(room).last?.state == .sent }
            let mine = try XCTUnwrap(grace.messages(room).last)
            spy.confirm(try XCTUnwrap(mine.name), archiveName: try XCTUnwrap(mine.archiveName))
            waitUntil("the room has passed them on") { confirmations == 2 }
            alan.send("bye", to: room)
            waitUntil("all have it") { spy.texts.last == "bye" && grace.texts(room).last == "bye" }
            XCTAssertEqual(grace.messages(room).map(\.state), [.received, .sent, .received])
            // Only the stranger's own stanzas have come.
            XCTAssertEqual([requests, confirmations], [1, 2])
            for fixture in [grace, alan] { fixture.end() }
        }
    }

    func testPrivateMessagesAreConfirmedInAPrivateRoom() throws {
        try onMainActor {
            let room = try newRoom()
            let (grace, alan) = (try RoomFixture("grace"), try RoomFixture("alan"))
            try grace.join(room, as: "grace")
            try close(room, for: alan, by: grace)
            try alan.join(room, as: "alan", creates: false)
            waitUntil("the room is private") { grace.isPrivate(room) && alan.isPrivate(room) }
            let partner = ChatAddress(full: try XCTUnwrap(room.with(resource: "alan")))
            grace.chat.send("psst", to: partner)
            waitUntil("it is delivered") {
                grace.store.table.messages(of: partner).map(\.state) == [.delivered]
            }
            for fixture in [grace, alan] { fixture.end() }
        }
    }
}

/// Lets only members into a room, of whom one is added, and shows them each other's addresses.
@MainActor
private func close(_ room: JID, for member: RoomFixture, by owner: RoomFixture) throws {
    let client = owner.program.client
    let form = DataForm.submission(
        "http://jabber.org/protocol/muc#roomconfig",
        [("muc#roomconfig_membersonly", "1"), ("muc#roomconfig_whois", "anyone")])
    let item = XMLElement(
        "item", MultiUserChat.admin,
        ["jid": member.account.jid.bare.description, "affiliation": "member"])
    for query in [
        XMLElement("query", MultiUserChat.admin, [:], [item]),
        XMLElement("query", MultiUserChat.owner, [:], [form]),
    ] {
        _ = try awaited { try await client.request(.set, to: room, query) }
    }
}

extension RoomFixture {
    /// Shows the conversation of a room, so that its messages are seen.
    fileprivate func look(at room: JID) throws {
        chat.isInView = true
        let conversation = try XCTUnwrap(chat.selected)
        XCTAssertEqual(conversation.buddy, ChatAddress(room))
        conversation.seen(upTo: try XCTUnwrap(messages(room).last))
    }

    fileprivate func isPrivate(_ room: JID) -> Bool {
        xmpp.roomSessions.session(room)?.state.isPrivate == true
    }
}
