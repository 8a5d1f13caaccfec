// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// Tests of encrypted private groups on an independent server.
final class EncryptedRoomTests: XMPPTestCase {
    func testGroupOfThreeIsEncryptedAlsoForTheAbsent() throws {
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let desks = try ["grace", "alan", "ada"].map { try EncryptedDesk($0) }
            let (grace, alan, ada) = (desks[0], desks[1], desks[2])
            try grace.open(room, for: [alan, ada])
            for desk in [alan, ada] { try desk.enter(room) }
            waitUntil("it is private for all") { desks.allSatisfy { $0.isPrivate(room) } }
            grace.send("a secret for three", to: address)
            waitUntil("both have it") {
                [alan, ada].allSatisfy { $0.secrets(in: room) == ["a secret for three"] }
            }
            waitUntil("it has come back, once") {
                grace.messages(in: room).count == 1 && grace.messages(in: room)[0].state != .waiting
            }
            ada.program.session.signOut()
            alan.send("while one is absent", to: address)
            waitUntil("it has come") {
                grace.secrets(in: room).last == "while one is absent"
                    && alan.messages(in: room).last?.state != .waiting
            }
            ada.restart()
            waitUntil("the absent one reads it, too") {
                ada.secrets(in: room) == ["a secret for three", "while one is absent"]
            }
            for desk in desks {
                XCTAssertEqual(desk.sent.filter { $0.contains("secret") || $0.contains("absent") }, [])
            }
            XCTAssertTrue(
                desks.allSatisfy { $0.chat.isEncrypted(address) || $0.account.jid == ada.account.jid })
        }
    }

    func testRoomThatOpensUpGetsNothing() throws {
        try onMainActor {
            let room = try newRoom()
            let desks = try ["grace", "alan"].map { try EncryptedDesk($0) }
            let (grace, alan) = (desks[0], desks[1])
            try grace.open(room, for: [alan])
            try alan.enter(room)
            waitUntil("it is private for all") { desks.allSatisfy { $0.isPrivate(room) } }
            alan.send("for members", to: ChatAddress(room))
            waitUntil("it has come") { grace.secrets(in: room) == ["for members"] }
            try grace.configure(room, [("muc#roomconfig_membersonly", "0")])
            waitUntil("it is open") { !alan.isPrivate(room) }
            alan.send("not for strangers", to: ChatAddress(room))
            waitUntil("it waits") {
                alan.chat.encryption(of: ChatAddress(room)).obstacle == .openRoom
            }
            XCTAssertEqual(alan.messages(in: room).last?.state, .waiting)
            XCTAssertEqual(alan.sent.filter { $0.contains("not for strangers") }, [])
        }
    }

    /// The past of a room without an archive does not tell whose it is.
    func testPastOfRoomIsReadAtFirstEntry() throws {
        try onMainActor {
            for service in TestServer.current.roomServices {
                let room = try newRoom(service)
                let desks = try ["grace", "alan", "ada"].map { try EncryptedDesk($0) }
                let (grace, alan, ada) = (desks[0], desks[1], desks[2])
                try grace.open(room, for: [alan, ada])
                try alan.enter(room)
                waitUntil("it is private") { [grace, alan].allSatisfy { $0.isPrivate(room) } }
                grace.send("by grace", to: ChatAddress(room))
                waitUntil("it has come") { alan.secrets(in: room) == ["by grace"] }
                alan.send("by alan", to: ChatAddress(room))
                waitUntil("it has come") { grace.secrets(in: room) == ["by alan"] }
                try ada.enter(room)
                waitUntil("the past is there, in \(service)") { ada.messages(in: room).count == 2 }
                XCTAssertEqual(ada.secrets(in: room), ["by grace", "by alan"], service)
                XCTAssertEqual(
                    ada.messages(in: room).map(\.content.protection),
                    [.encrypted(.blind), .encrypted(.blind)], service)
                for desk in desks { desk.program.session.signOut() }
            }
        }
    }

    func testNewMemberReadsWhatFollowsAndRemovedOneDoesNot() throws {
        try onMainActor {
            let room = try newRoom()
            let desks = try ["grace", "alan", "ada"].map { try EncryptedDesk($0) }
            let (grace, alan, ada) = (desks[0], desks[1], desks[2])
            try grace.open(room, for: [alan])
            try alan.enter(room)
            waitUntil("it is private for all") { [grace, alan].allSatisfy { $0.isPrivate(room) } }
            grace.send("for two", to: ChatAddress(room))
            waitUntil("it has come") { alan.secrets(in: room) == ["for two"] }
            try grace.setMember(ada, of: room)
            try ada.enter(room)
            waitUntil("it is private for her") { ada.isPrivate(room) }
            alan.send("for three", to: ChatAddress(room))
            waitUntil("the new one reads it") { ada.secrets(in: room).last == "for three" }
            XCTAssertFalse(ada.messages(in: room).contains { $0.text == "for two" })
            try grace.setMember(ada, of: room, "none")
            waitUntil("she has left") {
                grace.program.session.roomSessions.session(room)?.state.occupants["ada"] == nil
            }
            grace.send("for two again", to: ChatAddress(room))
            waitUntil("it has come") { alan.secrets(in: room).last == "for two again" }
            let device = try awaited { try await ada.program.store.ownKeys(at: ada.wallNow).device }
            XCTAssertFalse(grace.sent.last { $0.contains("<payload") }?.contains("rid='\(device)'") ?? true)
        }
    }
}

extension EncryptedDesk {
    /// Creates a private room with members.
    func open(_ room: JID, for members: [EncryptedDesk]) throws {
        try enter(room)
        try configure(
            room, [("muc#roomconfig_membersonly", "1"), ("muc#roomconfig_whois", "anyone")])
        for member in members { try setMember(member, of: room) }
    }

    func enter(_ room: JID) throws {
        let (chat, name) = (chat, account.jid.local)
        try awaited {
            try await chat.join(room.description, as: name, password: "", creation: RoomCreation())
        }
    }

    func configure(_ room: JID, _ options: [(String, String?)]) throws {
        let form = DataForm.submission("http://jabber.org/protocol/muc#roomconfig", options)
        let (client, query) = (program.client, XMLElement("query", MultiUserChat.owner, [:], [form]))
        _ = try awaited { try await client.request(.set, to: room, query) }
    }

    func setMember(_ desk: EncryptedDesk, of room: JID, _ affiliation: String = "member") throws {
        let item = XMLElement(
            "item", MultiUserChat.admin,
            ["jid": desk.account.jid.bare.description, "affiliation": affiliation])
        let (client, query) = (program.client, XMLElement("query", MultiUserChat.admin, [:], [item]))
        _ = try awaited { try await client.request(.set, to: room, query) }
    }

    func isPrivate(_ room: JID) -> Bool {
        program.session.roomSessions.session(room)?.state.isPrivate == true
    }

    /// The messages of a room, without its notices.
    func messages(in room: JID) -> [ChatMessage] {
        messages(with: ChatAddress(room)).filter { $0.sender != .buddy }
    }

    /// The texts of others that came encrypted.
    func secrets(in room: JID) -> [String] {
        messages(in: room).filter { $0.sender != .me && $0.content.protection.isEncrypted }.map(\.text)
    }

    var wallNow: ChatTime { program.session.context.wall.now }
}
