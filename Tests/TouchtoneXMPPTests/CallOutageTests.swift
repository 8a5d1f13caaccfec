// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// Tests of calls whose account loses its server, or whose sound is lost, with engines that have no process.
final class CallOutageTests: XMPPTestCase {
    /// The sound goes on, and what happens meanwhile is told when the server is back, also on another stream.
    func testEndIsToldWhenTheServerIsBack() throws {
        try onMainActor {
            for isResumed in [true, false] {
                let (ada, bob, relay) = try phones()
                let (call, other) = try talk(ada, bob)
                try cut(ada, relay, isResumed: isResumed)
                XCTAssertNil(ada.end(call))
                XCTAssertFalse(ada.engine.callCommands.contains(.hangUp))
                call.hangUp()
                XCTAssertEqual(ada.engine.callCommands.last, .hangUp)
                XCTAssertNil(bob.end(other))
                reconnect(ada)
                waitUntil("the other end knows") { bob.end(other) == .farEnd }
                let (next, _) = try talk(ada, bob)
                XCTAssertNil(ada.end(next))
            }
        }
    }

    /// The call goes on when the server is back: it can be held and ended as before.
    func testCallOutlivesTheConnection() throws {
        try onMainActor {
            for isResumed in [true, false] {
                let (ada, bob, relay) = try phones()
                let (call, other) = try talk(ada, bob)
                try cut(ada, relay, isResumed: isResumed)
                reconnect(ada)
                call.hold()
                waitUntil("it is held") { bob.events(other).last == .heldByFarEnd(true) }
                other.hangUp()
                waitUntil("it has ended") { ada.end(call) == .farEnd }
            }
        }
    }

    /// The engine does not follow the other end to new checks (RFC 8445, section 9): if the way so far is lost, the call ends.
    func testNewChecksOfTheOtherEndAreLeftAlone() throws {
        try onMainActor {
            let (ada, bob, _) = try phones()
            let (call, other) = try talk(ada, bob)
            let before = ada.engine.callCommands
            let client = bob.fixture.client
            let device = try XCTUnwrap(ada.fixture.client.address)
            for children in [[], [candidate()]] {
                let transport = XMLElement(
                    "transport", AudioContent.ice, ["ufrag": "anew", "pwd": "abcdefghijklmnopqrstuvwx"],
                    children)
                let content = XMLElement(
                    "content", Jingle.namespace, ["creator": "initiator", "name": "0"], [transport])
                let request = Jingle.request(.transportInfo, sid: call.sid, [content])
                let answer = try awaited { try await client.request(.set, to: device, request) }
                XCTAssertNil(answer)
            }
            XCTAssertEqual(ada.engine.callCommands, before)
            XCTAssertNil(ada.end(call))
            try lose(ada, call)
            XCTAssertEqual(ada.end(call), .connectionLost)
            waitUntil("the other end knows") { bob.end(other) == .connectionLost }
        }
    }

    /// The reason says whether there ever was sound.
    func testLostSoundIsToldFromNone() throws {
        try onMainActor {
            let (ada, bob, _) = try phones()
            let (call, other) = try talk(ada, bob)
            try lose(ada, call)
            XCTAssertEqual(ada.end(call), .connectionLost)
            waitUntil("the other end knows") { bob.end(other) == .connectionLost }

            ada.engine.answers = false
            let next = try ada.dial(bob.jid)
            waitUntil("it rings") { bob.incoming.count == 2 && ada.events(next) == [.ringing] }
            bob.incoming[1].answer()
            waitUntil("the sound is prepared") { next.engineID != nil }
            try lose(ada, next)
            XCTAssertEqual(ada.end(next), .network)
            waitUntil("the other end knows") { bob.end(bob.incoming[1]) != nil }
        }
    }
}

/// Ends a call as the engine does that finds no way.
@MainActor
private func lose(_ phone: CallPhone, _ call: JabberCall) throws {
    phone.engine.calls.handle(.ended(SIPEnd(.network)), of: try XCTUnwrap(call.engineID))
}

/// Cuts the connection of a phone, and the stream as well unless it can be resumed.
@MainActor
private func cut(_ phone: CallPhone, _ relay: Relay, isResumed: Bool) throws {
    let client = phone.fixture.client
    let jid = try XCTUnwrap(client.address)
    relay.breakConnections()
    waitUntil("the connection is lost") { client.state != .online }
    guard !isResumed else { return }
    // Another has its name, so that the server gives the stream up.
    var account = client.account
    (account.jid, account.port) = (jid, try TestServer.shared().port)
    let thief = Session(account)
    thief.client.signIn()
    waitUntil("another has its name") { thief.isOnline }
    thief.client.signOut()
}

@MainActor
private func reconnect(_ phone: CallPhone) {
    let count = phone.fixture.readyCount
    phone.fixture.chat.wakeUp()
    waitUntil("it is back") { phone.fixture.client.state == .online && phone.fixture.readyCount > count }
}

/// Returns two phones, and the relay before the first one’s server.
@MainActor
private func phones() throws -> (CallPhone, CallPhone, Relay) {
    let relay = try Relay(to: try TestServer.shared().port)
    var account = try account("ada")
    account.port = relay.port
    let (ada, bob) = (try CallPhone("ada", account: account), try CallPhone("bob"))
    try befriend(ada.fixture, bob.fixture)
    return (ada, bob, relay)
}

@MainActor
private func talk(_ ada: CallPhone, _ bob: CallPhone) throws -> (JabberCall, JabberCall) {
    let count = bob.incoming.count
    let call = try ada.dial(bob.jid)
    waitUntil("it rings") { bob.incoming.count > count && ada.events(call) == [.ringing] }
    let other = try XCTUnwrap(bob.incoming.last)
    other.answer()
    waitUntil("both talk") {
        guard case .connected? = call.course?.state, case .connected? = other.course?.state else {
            return false
        }
        return true
    }
    return (call, other)
}

private func candidate() -> XMLElement {
    XMLElement(
        "candidate", AudioContent.ice,
        [
            "component": "1", "foundation": "1", "generation": "1", "id": "c1", "ip": "192.0.2.30",
            "network": "0",
            "port": "40000", "priority": "2130706431", "protocol": "udp", "type": "host",
        ])
}
