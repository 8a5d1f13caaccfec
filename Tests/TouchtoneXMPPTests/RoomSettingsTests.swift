// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the settings of rooms on an independent server.
final class RoomSettingsTests: XMPPTestCase {
    func testOwnerChangesSettings() throws {
        try onMainActor {
            let room = try newRoom()
            let address = ChatAddress(room)
            let (owner, alan) = (try RoomFixture("owner"), try RoomFixture("alan"))
            try owner.join(room, as: "owner")
            try alan.join(room, as: "alan", creates: false)
            let (chat, other) = (owner.chat, alan.chat)
            var form = try awaited { try await chat.settings(of: address) }
            XCTAssertEqual(
                form.fields.first { $0.name == "FORM_TYPE" }?.answer,
                .hidden(["http://jabber.org/protocol/muc#roomconfig"]))
            try Self.answer("muc#roomconfig_roomname", in: &form, .line("Tea House"))
            try Self.answer("muc#roomconfig_membersonly", in: &form, .toggle(true))
            let changed = form
            // Reading the settings changes nothing.
            XCTAssertEqual(alan.room(room)?.standing, .joined)
            try awaited { try await chat.setSettings(changed, of: address) }
            waitUntil("he is out") { alan.room(room)?.standing == .outside(.membersOnly) }
            let now = try awaited { try await chat.settings(of: address) }
            XCTAssertEqual(now.fields.map(\.answer), changed.fields.map(\.answer))
            XCTAssertThrowsError(try awaited { try await other.settings(of: address) }) { error in
                XCTAssertEqual(
                    error as? RoomError, .refused("Only the owners of this room can change its settings."))
            }
            XCTAssertThrowsError(try awaited { try await other.setSettings(changed, of: address) })
            for fixture in [owner, alan] { fixture.end() }
        }
    }

    func testUnknownRoomHasNoSettings() throws {
        try onMainActor {
            let owner = try RoomFixture("owner")
            let (chat, address) = (owner.chat, ChatAddress(try newRoom()))
            XCTAssertThrowsError(try awaited { try await chat.settings(of: address) }) { error in
                XCTAssertEqual(error as? RoomError, .missing)
            }
            owner.end()
        }
    }

    private static func answer(_ name: String, in form: inout RoomForm, _ answer: RoomForm.Answer) throws {
        let index = try XCTUnwrap(form.fields.firstIndex { $0.name == name }, "\(form.fields)")
        form.fields[index].answer = answer
    }
}
