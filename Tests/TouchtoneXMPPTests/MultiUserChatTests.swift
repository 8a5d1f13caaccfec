// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of rooms, cards and gateways.
final class MultiUserChatTests: XMPPTestCase {
    func testRoomIsJoinedAndReceivesMessages() throws {
        try onMainActor {
            let grace = try signedIn("grace")
            let alan = try signedIn("alan")
            let room = try XCTUnwrap(JID("talk-\(UInt32.random(in: 0...UInt32.max))@rooms.localhost"))
            for (session, name) in [(grace, "Grace <&>"), (alan, "alan")] {
                session.client.send(try XCTUnwrap(MultiUserChat.entering(room, as: name)).element)
                waitUntil("\(name) is in the room") {
                    session.arrivals.contains {
                        if case .presence(let presence) = $0 {
                            MultiUserChat.codes(in: presence).contains(110)
                        } else {
                            false
                        }
                    }
                }
                if name != "alan" { try open(room, session) }
            }
            alan.client.send(Message(.groupchat, to: room, id: "1", body: "hello all").element)
            waitUntil("both hear it") {
                grace.bodies.contains("hello all") && alan.bodies.contains("hello all")
            }
            let speaker = try XCTUnwrap(room.with(resource: "alan"))
            XCTAssertTrue(
                grace.arrivals.contains {
                    if case .message(let message, _) = $0 { message.from == speaker } else { false }
                })
            let inside: Result<Void, RequestError> = try awaited {
                do throws(RequestError) {
                    return .success(try await alan.client.ping(speaker))
                } catch {
                    return .failure(error)
                }
            }
            XCTAssertEqual(MultiUserChat.isInside(inside), true)
            let page = try awaited { try await grace.client.archive(Archive.Query(.before(nil)), of: room) }
            XCTAssertEqual(page.items.compactMap(\.message.body), ["hello all"])
            guard let jid = grace.client.address else { return XCTFail("\(grace.client.state)") }
            alan.client.send(MultiUserChat.invitation(of: jid, to: room, reason: "come").element)
            waitUntil("the invitation comes") {
                grace.arrivals.contains {
                    if case .message(let message, _) = $0 {
                        MultiUserChat.invitation(in: message)?.room == room
                    } else {
                        false
                    }
                }
            }
        }
    }

    func testPrivateDataIsStoredOnServer() throws {
        try onMainActor {
            let grace = try signedIn("grace")
            let element = XMLElement("notes", "urn:touchtone:test", ["a": "b"], text: "<&>")
            try awaited { try await grace.client.setPrivateElement(element) }
            XCTAssertEqual(
                try awaited { try await grace.client.privateElement("notes", "urn:touchtone:test") },
                element)
        }
    }

    func testNumberBecomesGatewayAddress() throws {
        try onMainActor {
            for (jid, isTaken) in [
                ("+15558675309@sms.localhost", true), ("mallory@localhost", false), ("x y", false),
            ] {
                let script =
                    Script.online + """
                        expect <iq type='set' id='([^']*)' to='sms.localhost'.*<prompt>.15558675309</prompt>
                        send <iq type='result' id='{1}' from='sms.localhost'><query xmlns='jabber:iq:gateway'><jid>\(jid)</jid></query></iq>
                        wait
                        """
                let (session, _) = try session(script)
                waitUntil("it is online") { session.isOnline }
                let gateway = try XCTUnwrap(JID("sms.localhost"))
                let answer = try? awaited {
                    try await session.client.address(of: "+15558675309", at: gateway)
                }
                XCTAssertEqual(answer, isTaken ? JID(jid) : nil)
                session.client.signOut()
            }
        }
    }

    func testCardIsRead() throws {
        let card = try XCTUnwrap(
            VCardTemp(
                XMLElementTests.read(
                    """
                    <vCard xmlns='vcard-temp'><FN>Grace</FN><TEL><NUMBER>555</NUMBER></TEL><TEL/>\
                    <PHOTO><TYPE>image/png</TYPE><BINVAL>aGFs\nbG8=\n</BINVAL></PHOTO></vCard>
                    """)))
        XCTAssertEqual(card.profile, Profile([.name: ["Grace"], .number: ["555"]]))
        XCTAssertEqual(card.photo, Array("hallo".utf8))
    }
}

/// Creates a room with the server's default settings.
@MainActor
private func open(_ room: JID, _ session: Session) throws {
    let form = XMLElement("x", "jabber:x:data", ["type": "submit"])
    let query = XMLElement("query", "http://jabber.org/protocol/muc#owner", [:], [form])
    _ = try awaited { try await session.client.request(.set, to: room, query) }
}
