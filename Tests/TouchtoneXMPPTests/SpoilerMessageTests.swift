// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of texts that are hidden behind a hint (XEP-0382), with an independent server.
final class SpoilerMessageTests: XMPPTestCase {
    private static let mark = XMLElement("spoiler", "urn:xmpp:spoiler:0", text: "Citizen Kane")
    private static let content = MessageContent("Rosebud is a sled", spoiler: "Citizen Kane")

    func testSpoilerArrivesAndIsKept() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let spoiler = Message(
                to: grace.jid, id: "spoiler-of-a-film", body: Self.content.text, extensions: [Self.mark])
            alan.client.send(spoiler.element)
            waitUntil("it has come") { grace.came.map(\.content) == [Self.content] }
            let again = XMPPAccountFixture(grace.client.account)
            waitUntil("the archive is read") { again.readyCount == 1 }
            XCTAssertEqual(again.came.map(\.content), [Self.content])
        }
    }

    func testSpoilerOfRoomIsHiddenLiveAndFromItsArchive() throws {
        try onMainActor {
            let grace = try RoomFixture("grace")
            let tea = try newRoom()
            try grace.join(tea, as: "Grace")
            let alan = try RawOccupant("alan", in: tea)
            alan.say(Self.content.text, id: "spoiler-of-a-film-1", extensions: [Self.mark])
            waitUntil("it has come") { grace.messages(tea).map(\.content) == [Self.content] }
            grace.cut()
            alan.say(Self.content.text, id: "spoiler-of-a-film-2", extensions: [Self.mark])
            waitUntil("the room has it") { alan.texts.count == 2 }
            grace.reconnect()
            waitUntil("it has come, too") {
                grace.messages(tea).map(\.content) == [Self.content, Self.content]
            }
            grace.end()
        }
    }

    /// Another device of mine may have sent it; its correction must not tell the text.
    func testCorrectionOfMySpoilerHidesItsText() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let message = ChatMessage(
                id: 0, conversation: ConversationID(alan.address), sender: .me, content: Self.content,
                time: grace.wall.now, place: 0, state: .sent, name: "spoiler-of-a-film")
            grace.chat.messaging.sendCorrection(of: message, name: "correction-of-spoiler")
            waitUntil("it has come") { alan.came.count == 1 }
            XCTAssertEqual(alan.came[0].content, Self.content)
            XCTAssertEqual(alan.came[0].relation.corrected, "spoiler-of-a-film")
        }
    }
}
