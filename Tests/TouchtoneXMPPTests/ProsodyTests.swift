// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of signing in to an independent server and exchanging messages on it.
final class ProsodyTests: XMPPTestCase {
    func testSignsInWithStartTLSAndSCRAM() throws {
        try onMainActor {
            let session = try signedIn("grace")
            // A binding to TLS 1.3 depends on the server's version.
            XCTAssertEqual(session.mechanisms.map(\.hash), [TestServer.current.hash])
            XCTAssertEqual(session.beginnings, ["new"])
            session.client.signOut()
            XCTAssertEqual(session.client.state, .signedOut)
        }
    }

    func testDirectTLSBindsPasswordToChannel() throws {
        try onMainActor {
            var account = try account("grace")
            account.port = try TestServer.shared().directPort
            account.tls = .direct
            let session = Session(account)
            session.client.signIn()
            waitUntil("it is online") { session.isOnline }
            XCTAssertEqual(session.mechanisms.map(\.hash), [TestServer.current.hash])
            XCTAssertEqual(session.mechanisms.map(\.isBound), [true])
        }
    }

    func testOtherTLSModeIsTriedToo() throws {
        try onMainActor {
            for port in [try TestServer.shared().port, try TestServer.shared().directPort] {
                var account = try account("grace")
                account.port = port
                account.tls = .automatic
                let session = Session(account)
                session.client.signIn()
                waitUntil("it is online") { session.isOnline }
            }
        }
    }

    func testServersAreFoundByDNSRecords() throws {
        try onMainActor {
            var account = try account("grace")
            account.host = ""
            account.tls = .automatic
            let none = freePorts(1)[0]
            let lookup = FakeLookup([
                ServiceRecord(
                    endpoint: Endpoint(host: "127.0.0.1", port: none, isDirectTLS: true), priority: 1,
                    weight: 0),
                ServiceRecord(
                    endpoint: Endpoint(
                        host: "127.0.0.1", port: try TestServer.shared().port, isDirectTLS: false),
                    priority: 2, weight: 0),
            ])
            let session = Session(account, lookup: lookup)
            session.client.signIn()
            waitUntil("it is online") { session.isOnline }
        }
    }

    func testWrongPasswordIsReportedAndNotRetried() throws {
        try onMainActor {
            var account = try account("grace")
            account.password = "wrong"
            let session = Session(account)
            session.client.signIn()
            waitUntil("it is refused") { session.reason != nil }
            guard case .failed(.password) = session.client.state,
                case .signIn(.refused(condition: "not-authorized", _))? = session.reason
            else {
                return XCTFail("\(session.client.state)")
            }
            XCTAssertTrue(session.reason?.description.hasPrefix("Wrong password") == true)
            XCTAssertNil(session.clock.nextDelay)
            session.client.account.password = "secret"
            session.client.signIn()
            waitUntil("it is online") { session.isOnline }
        }
    }

    func testMessagesAreExchangedAndAcknowledged() throws {
        try onMainActor {
            let grace = try signedIn("grace")
            let alan = try signedIn("alan")
            guard let jid = alan.client.address else { return XCTFail("\(alan.client.state)") }
            let texts = (0..<50).map { "\($0) <b>&amp;</b>\n\u{202E}😄" }
            for text in texts { grace.client.send(Message(to: jid, id: text, body: text).element) }
            waitUntil("all have arrived") { alan.bodies.count == 50 && grace.acknowledged.count == 50 }
            XCTAssertEqual(alan.bodies, texts)
            XCTAssertEqual(grace.acknowledged, texts)
        }
    }

    func testQueriesAreAnswered() throws {
        try onMainActor {
            let session = try signedIn("grace")
            let client = session.client
            XCTAssertNil(try awaited { try await client.request(.get, XMLElement("ping", "urn:xmpp:ping")) })
            XCTAssertThrowsError(
                try awaited { try await client.request(.get, XMLElement("x", "urn:nobody")) }
            ) { error in
                guard case RequestError.refused(let reason)? = error as? RequestError else {
                    return XCTFail("\(error)")
                }
                XCTAssertEqual(reason.condition, "service-unavailable")
            }
        }
    }
}

/// Returns a new account on the server, for STARTTLS.
@MainActor
func account(_ name: String) throws -> XMPPAccount {
    let server = try TestServer.shared()
    var account = XMPPAccount(
        jid: try XCTUnwrap(JID(local: try server.makeAccount(name), domain: "localhost")), password: "secret")
    account.host = "127.0.0.1"
    account.port = server.port
    account.tls = .startTLS
    account.trust = .file(try TestCertificates.authority())
    return account
}

/// Returns a client that is online with a new account.
@MainActor
func signedIn(_ name: String, file: StaticString = #filePath, line: UInt = #line) throws -> Session {
    let session = Session(try account(name))
    session.client.signIn()
    waitUntil("\(name) is online", file: file, line: line) { session.isOnline }
    return session
}
