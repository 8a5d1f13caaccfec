// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
@testable import TouchtoneXMPP
import XCTest

/// Tests of a server without stream management: a message counts as sent once a later response proves it.
final class PingedDeliveryTests: XMPPTestCase {
    func testMessagesOnDeadLinkAreGivenUp() throws {
        try onMainActor {
            let script = uncounted + ping + pong + "expect <body>b</body>\n" + ping + "say asked\nwait"
            let (session, server) = try session(script)
            waitUntil("it is online") { session.isOnline }
            send("a", session)
            waitUntil("the server proves that it has it") { session.acknowledged == ["a"] }
            send("b", session)
            waitUntil("it is asked for it") { server.output.contains("asked") }
            XCTAssertEqual(session.acknowledged, ["a"])
            // The link is dead, which only the silence reveals.
            session.network.onChange?(true)
            session.clock.advance(by: .seconds(5))
            waitUntil("it is given up") { session.reason == .silent(.online) }
            XCTAssertEqual(session.notDelivered, ["b"])
            XCTAssertEqual(session.acknowledged, ["a"])
            session.client.signOut()
        }
    }

    func testOnePingConfirmsAllEarlierMessages() throws {
        try onMainActor {
            let forged = pong.replacingOccurrences(of: "from='localhost'", with: "from='mallory@localhost/x'")
            let script =
                uncounted + ping + "say asked\nexpect <body>c</body>\n" + pong + ping + forged
                + "send <message from='alan@localhost/x' to='grace@localhost/phone'><body>hi</body></message>\n"
                + "expect <body>d</body>\n" + pong + "wait"
            let (session, server) = try session(script)
            waitUntil("it is online") { session.isOnline }
            for body in ["a", "b"] { send(body, session) }
            waitUntil("it is asked") { server.output.contains("asked") }
            send("c", session)
            waitUntil("the first two are there") { session.acknowledged == ["a", "b"] }
            waitUntil("another's answer has come") { session.bodies == ["hi"] }
            XCTAssertEqual(session.acknowledged, ["a", "b"])
            send("d", session)
            waitUntil("the third is there") { session.acknowledged == ["a", "b", "c"] }
            session.client.signOut()
            XCTAssertEqual(session.notDelivered, ["d"])
        }
    }
}

/// A stream without stream management.
private let uncounted =
    Script.bound().replacingOccurrences(of: "<sm xmlns='urn:xmpp:sm:3'/>", with: "")

private let ping = "expect <iq type='get' id='([^']*)' to='localhost'><ping [^>]*>\n"
private let pong = "send <iq type='result' id='{1}' from='localhost'/>\n"

@MainActor
private func send(_ body: String, _ session: Session) {
    session.client.send(Message(to: JID("alan@localhost"), id: body, body: body).element)
}
