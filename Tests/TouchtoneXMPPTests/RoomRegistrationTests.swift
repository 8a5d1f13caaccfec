// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of requests to become a member of a room, on an independent server.
final class RoomRegistrationTests: XMPPTestCase {
    func testRequestLetsUserIn() throws {
        try TestServer.requireProsody("ejabberd makes members of nobody who asks")
        try onMainActor {
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            // This service accepts requests from everybody.
            let room = try Self.closedRoom(of: owner, at: "plain.localhost")
            XCTAssertEqual(try alan.refusal(room, as: "alan"), .membersOnly)
            let chat = alan.chat
            let form = try awaited { try await chat.registration(in: room.description, as: "alan") }
            XCTAssertEqual(
                form.fields.first { $0.name == "muc#register_roomnick" }?.answer, .line("alan"))
            try awaited { try await chat.register(form, in: room.description) }
            try alan.join(room, as: "alan", creates: false)
            XCTAssertEqual(alan.room(room)?.standing, .joined)
            XCTAssertThrowsError(
                try awaited { try await chat.registration(in: room.description, as: "alan") })
            for fixture in [owner, alan] { fixture.end() }
        }
    }

    func testRoomWithoutRequestsSaysSo() throws {
        try onMainActor {
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            let room = try Self.closedRoom(of: owner, at: "rooms.localhost")
            let chat = alan.chat
            let info = try awaited { [client = alan.program.client] in try await client.info(of: room) }
            let registration = Result {
                try awaited { try await chat.registration(in: room.description, as: "alan") }
            }
            if TestServer.current == .ejabberd, info.features.contains(MultiUserChat.register) {
                // ejabberd reserves a name in the room since 23.10, and makes no members.
                let form = try registration.get()
                XCTAssertEqual(form.fields.map(\.name), ["FORM_TYPE", "muc#register_roomnick"])
            } else {
                XCTAssertThrowsError(try registration.get()) { error in
                    XCTAssertEqual(
                        error as? RoomError,
                        .refused("This room takes no requests. Ask its owner to add you."))
                }
            }
            for fixture in [owner, alan] { fixture.end() }
        }
    }

    @MainActor
    private static func closedRoom(of owner: RoomFixture, at server: String) throws -> JID {
        let room = try newRoom(server)
        try owner.join(room, as: "owner")
        let (chat, address) = (owner.chat, ChatAddress(room))
        var form = try awaited { try await chat.settings(of: address) }
        let index = try XCTUnwrap(form.fields.firstIndex { $0.name == "muc#roomconfig_membersonly" })
        form.fields[index].answer = .toggle(true)
        let changed = form
        try awaited { try await chat.setSettings(changed, of: address) }
        return room
    }
}
