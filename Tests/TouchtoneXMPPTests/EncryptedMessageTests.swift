// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of encrypted messages that the phone cannot read, with an independent server.
final class EncryptedMessageTests: XMPPTestCase {
    /// Messages as clients of four encryptions send them, with and without a text for other clients.
    private static let payloads: [(XMLElement, body: String?, name: String)] = {
        let (first, second) = ("eu.siacs.conversations.axolotl", "urn:xmpp:omemo:2")
        func encrypted(_ namespace: String) -> XMLElement {
            XMLElement(
                "encrypted", namespace, [:],
                [
                    XMLElement("header", namespace, ["sid": "1"]),
                    XMLElement("payload", namespace, text: "eA=="),
                ])
        }
        return [
            (encrypted(first), "I sent you an OMEMO message", "OMEMO"), (encrypted(second), nil, "OMEMO"),
            (XMLElement("openpgp", "urn:xmpp:openpgp:0", text: "eA=="), nil, "OpenPGP for XMPP"),
            (XMLElement("x", "jabber:x:encrypted", text: "eA=="), "This is encrypted", "Legacy OpenPGP"),
        ]
    }()

    private static var contents: [MessageContent] {
        payloads.map { MessageContent($0.body ?? "", encryption: $0.name) }
    }

    private static func messages(_ kind: Message.Kind, to: JID) -> [Message] {
        payloads.enumerated().map { index, payload in
            Message(
                kind, to: to, id: "encrypted-message-\(index)", body: payload.body,
                extensions: [payload.0, XMLElement("store", "urn:xmpp:hints")])
        }
    }

    func testEncryptedMessagesArriveAndAreKept() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            for message in Self.messages(.chat, to: grace.jid) { alan.client.send(message.element) }
            waitUntil("they have come") { grace.came.count == Self.contents.count }
            XCTAssertEqual(grace.came.map(\.content), Self.contents)
            let again = XMPPAccountFixture(grace.client.account)
            waitUntil("the archive is read") { again.readyCount == 1 }
            XCTAssertEqual(again.came.map(\.content), Self.contents)
        }
    }

    func testEncryptedMessagesOfRoomArriveAndAreKept() throws {
        try onMainActor {
            let grace = try RoomFixture("grace")
            let tea = try newRoom()
            try grace.join(tea, as: "Grace")
            let alan = try RawOccupant("alan", in: tea)
            for message in Self.messages(.groupchat, to: tea) { alan.session.client.send(message.element) }
            waitUntil("they have come") { grace.messages(tea).count == Self.contents.count }
            XCTAssertEqual(grace.messages(tea).map(\.content), Self.contents)
            XCTAssertEqual(grace.chat.buddies.row(of: ChatAddress(tea))?.unread, Self.contents.count)
            grace.cut()
            for message in Self.messages(.groupchat, to: tea) {
                var other = message
                other.id = "later-\(message.id ?? "")"
                alan.session.client.send(other.element)
            }
            alan.say("last")
            waitUntil("the room has them") { alan.texts.last == "last" }
            grace.reconnect()
            waitUntil("the archive is read") { grace.texts(tea).last == "last" }
            XCTAssertEqual(grace.messages(tea).map(\.content).dropLast(), Self.contents[...] + Self.contents)
            grace.end()
        }
    }
}
