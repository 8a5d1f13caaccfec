// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import SIPMessages
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneEngine
@testable import TouchtoneXMPP

/// Tests of the relay through which the sound of a call goes, with engines that have no process.
final class RelayedJabberCallTests: XMPPTestCase {
    /// A stranger’s call goes through it, and that of a buddy if the user wants that, or none.
    func testRelayOfTheServerTakesTheSound() throws {
        try XCTSkipUnless(TestServer.current == .prosody, "the server has another relay")
        try onMainActor {
            let server = try Prosody(relay: ("192.0.2.20", 3479, "shared"))
            defer { server.end() }
            let wish = Wish()
            let (ada, bob) = (try phone("ada", at: server, wish), try phone("bob", at: server))
            for (isBuddy, use, isRelayed) in [
                (false, RelayUse.never, false), (false, .strangers, true), (true, .strangers, false),
                (true, .always, true),
            ] {
                wish.use = use
                if isBuddy, use == .strangers { try befriend(ada.fixture, bob.fixture) }
                let call = try ada.dial(bob.jid)
                let count = bob.incoming.count
                waitUntil("it rings") { bob.incoming.count > count && !ada.events(call).isEmpty || !isBuddy }
                waitUntil("it is there") { bob.incoming.last?.hasEnded == false }
                bob.incoming.last?.answer()
                waitUntil("both talk") { if case .connected? = call.course?.state { true } else { false } }
                let route = try XCTUnwrap(ada.lastRoute)
                XCTAssertEqual(route.usesRelayOnly, isRelayed)
                XCTAssertEqual(bob.lastRoute?.usesRelayOnly, !isBuddy)
                let relay = try XCTUnwrap(route.servers.relay)
                XCTAssertEqual(relay.host, "192.0.2.20")
                XCTAssertEqual(relay.port, 3479)
                // The name is the end of its time, from which the password is made.
                let password = try output(of: [
                    "sh", "-c", "printf %s \"$1\" | openssl dgst -sha1 -hmac shared -binary | base64", "sh",
                    relay.user,
                ])
                XCTAssertEqual(relay.password + "\n", password)
                call.hangUp()
                waitUntil("it has ended") { bob.incoming.last?.hasEnded == true }
            }
        }
    }

    /// Nobody is called, and nothing is prepared.
    func testWithoutRelayThereAreNoCalls() throws {
        try onMainActor {
            let wish = Wish()
            wish.use = .always
            let (ada, bob) = (try CallPhone("ada") { $0.relayUse = { wish.use } }, try CallPhone("bob"))
            try befriend(ada.fixture, bob.fixture)
            var call = try ada.dial(bob.jid)
            waitUntil("it fails") { ada.end(call) != nil }
            XCTAssertEqual(ada.end(call), .noRelay)
            call = try bob.dial(ada.jid)
            waitUntil("it rings") { ada.incoming.count == 1 }
            XCTAssertEqual(bob.incoming.count, 0)
            ada.incoming[0].answer()
            waitUntil("it fails") { ada.end(ada.incoming[0]) == .noRelay && bob.end(call) != nil }
            XCTAssertEqual(bob.end(call), .network)
            XCTAssertNil(ada.lastRoute)
        }
    }

    func testFailureOfTheRelayIsTold() throws {
        try onMainActor {
            let (ada, bob) = (try CallPhone("ada"), try CallPhone("bob"))
            try befriend(ada.fixture, bob.fixture)
            for state in [SIPRelayState.noAnswer, .wrongPassword, .refused(status: 486)] {
                ada.engine.answers = false
                let call = try ada.dial(bob.jid)
                waitUntil("it rings") { ada.events(call) == [.ringing] }
                bob.incoming.last?.answer()
                waitUntil("the sound is prepared") { call.engineID != nil && ada.lastRoute != nil }
                let id = try XCTUnwrap(call.engineID)
                ada.engine.calls.handle(.ended(SIPEnd(.phone, relay: state)), of: id)
                XCTAssertEqual(ada.end(call), .relayFailed(state))
                waitUntil("the other end knows") { bob.end(bob.incoming.last) != nil }
            }
        }
    }
}

/// A wish of the user.
@MainActor
private final class Wish {
    var use = RelayUse.strangers
}

@MainActor
private func phone(_ name: String, at server: Prosody, _ wish: Wish = Wish()) throws -> CallPhone {
    let jid = try XCTUnwrap(JID(local: try server.makeAccount(name), domain: "localhost"))
    var account = XMPPAccount(jid: jid, password: "secret")
    (account.host, account.port, account.tls) = ("127.0.0.1", server.port, .startTLS)
    account.trust = .file(try TestCertificates.authority())
    return try CallPhone(name, account: account) { $0.relayUse = { wish.use } }
}

extension CallPhone {
    /// The ways that the sound of the last call may take; nil if none was prepared.
    fileprivate var lastRoute: MediaRoute? {
        engine.callCommands.lazy.compactMap { command in
            switch command {
            case .prepareOffer(let route), .prepareAnswer(_, let route): route
            default: nil
            }
        }.last
    }
}
