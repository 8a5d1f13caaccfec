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
            waitUntil("he is seen") { owner.xmpp.people(in: address).count == 2 }
            let (chat, other) = (owner.chat, alan.chat)
            let steps: [(RoomChange, RoomRights)] = [
                (.role(.visitor), []), (.role(.participant), .speak), (.role(.moderator), [.speak, .kick]),
                (.affiliation(.admin), [.speak, .kick, .ban]),
            ]
            for (change, rights) in steps {
                try awaited { try await chat.change("alan", to: change, in: address) }
                waitUntil("he may: \(change)") { alan.room(room)?.rights == rights }
            }
            // An administrator cannot remove an owner.
            XCTAssertThrowsError(
                try awaited { try await other.change("owner", to: .affiliation(.member), in: address) })
            try awaited { try await chat.change("alan", to: .affiliation(.owner), in: address) }
            waitUntil("he is an owner") { alan.room(room)?.rights.contains(.own) == true }
            try awaited { try await chat.change("alan", to: .affiliation(.member), in: address) }
            waitUntil("he is a member") { alan.room(room)?.rights == .speak }
            let person = try XCTUnwrap(
                owner.xmpp.people(in: address).first { $0.nickname == "alan" })
            XCTAssertEqual(person.affiliation, .member)
            XCTAssertThrowsError(
                try awaited { try await chat.change("nobody", to: .affiliation(.member), in: address) })
            for fixture in [owner, alan] { fixture.end() }
        }
    }
}
