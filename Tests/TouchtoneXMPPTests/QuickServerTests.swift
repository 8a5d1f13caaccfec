// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of sign-ins in few round trips at independent servers: Prosody with its community modules, and newer ejabberd.
final class QuickServerTests: XMPPTestCase {
    func testProsodySignsInWithTokenAndResumes() throws {
        try XCTSkipUnless(Prosody.canBeQuick, "Prosody is older than 13")
        try onMainActor {
            let server: Prosody
            do {
                server = try Prosody(isQuick: true)
            } catch let missing as MissingPeer where !Peer.isRequired {
                throw XCTSkip("\(missing)")
            }
            defer { server.end() }
            try check(server, port: server.port, .startTLS)
            try check(server, port: server.directPort, .direct)
        }
    }

    func testEjabberdSignsInWithTokenAndResumes() throws {
        do {
            try Peer.require("ejabberdctl", package: "ejabberd")
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
        try XCTSkipUnless(Ejabberd.hasTokens, "ejabberd is older than 24.12")
        try onMainActor {
            for hash in ["sha", "sha512"] {
                let server = try Ejabberd(hash: hash, issuesTokens: true)
                defer { server.end() }
                try check(server, port: server.port, .startTLS)
                try check(server, port: server.directPort, .direct)
            }
        }
    }
}

/// Signs in, resumes the stream three times, and signs in after a restart.
@MainActor
private func check(_ server: any JabberServer, port: UInt16, _ mode: TLSMode) throws {
    let relay = try Relay(to: port)
    let store = FakePasswordStore()
    let wall = SystemTime()
    var account = try newAccount(at: server, "grace")
    (account.port, account.tls) = (relay.port, mode)
    let grace = Session(
        account, tokens: SignInTokens(store: store, wall: wall, clock: ManualScheduler()))
    let alan = Session(try newAccount(at: server, "alan"))
    for session in [grace, alan] {
        session.client.signIn()
        waitUntil("it is online") { session.isOnline || session.reason != nil }
        XCTAssertNil(session.reason)
        XCTAssertTrue(session.client.hasCarbons)
    }
    XCTAssertFalse(grace.client.usesToken)
    waitUntil("the token is kept") { !store.stored.isEmpty }
    guard let jid = grace.client.address, let other = alan.client.address else {
        return XCTFail("\(grace.client.state)")
    }
    for round in 0..<3 {
        alan.client.send(Message(to: jid, body: "in \(round)").element)
        grace.client.send(Message(to: other, body: "out \(round)").element)
        relay.breakConnections()
        alan.client.send(Message(to: jid, body: "while away \(round)").element)
        waitUntil("the connection is lost") { grace.reason != nil }
        grace.client.send(Message(to: other, body: "from away \(round)").element)
        grace.clock.advance(by: grace.clock.nextDelay ?? .zero)
        waitUntil("it is back") { grace.isOnline || grace.reason?.needsUser == true }
        XCTAssertTrue(grace.client.usesToken)
    }
    waitUntil("all is there") { grace.bodies.count >= 6 && alan.bodies.count >= 6 }
    let sent = (0..<3).flatMap { ["in \($0)", "while away \($0)"] }
    // What is lost twice, ejabberd may send again behind what is newer.
    let isOrdered = server is Prosody
    XCTAssertEqual(isOrdered ? grace.bodies : grace.bodies.sorted(), isOrdered ? sent : sent.sorted())
    XCTAssertEqual(alan.bodies, (0..<3).flatMap { ["out \($0)", "from away \($0)"] })
    XCTAssertEqual(grace.beginnings, ["new", "resumed", "resumed", "resumed"])
    grace.client.signOut()
    alan.client.signOut()

    // The program starts again, with the token in the keyring.
    let next = Session(
        account, tokens: SignInTokens(store: store, wall: wall, clock: ManualScheduler()))
    next.client.signIn()
    waitUntil("it is online") { next.isOnline || next.reason != nil }
    XCTAssertNil(next.reason)
    XCTAssertTrue(next.client.usesToken)
    next.client.signOut()

    // A token that the server does not know any more, and a wrong password.
    let token = try XCTUnwrap(SignInToken(store.stored.values.first ?? ""))
    for (password, isOnline) in [("secret", true), ("wrong", false)] {
        account.password = password
        let issued = SASL2Success.IssuedToken(text: "unknown", expiry: token.expiry)
        let unknown = try SignInToken(
            issued, for: token.mechanism, deviceID: token.deviceID, password: password,
            received: token.received)
        store.stored[account.jid.description] = unknown.description
        let session = Session(
            account, tokens: SignInTokens(store: store, wall: wall, clock: ManualScheduler()))
        session.client.signIn()
        waitUntil("it is tried") { session.isOnline || session.reason != nil }
        XCTAssertEqual(session.isOnline, isOnline)
        XCTAssertEqual(session.reason?.isOfPassword, isOnline ? nil : true)
        session.client.signOut()
    }
}

@MainActor
private func newAccount(at server: any JabberServer, _ name: String) throws -> XMPPAccount {
    let jid = try XCTUnwrap(JID(local: try server.makeAccount(name), domain: "localhost"))
    var account = XMPPAccount(jid: jid, password: "secret")
    (account.host, account.port, account.tls) = ("127.0.0.1", server.port, .startTLS)
    account.trust = .file(try TestCertificates.authority())
    return account
}

/// The time of the system, by which servers let tokens expire.
@MainActor
private final class SystemTime: WallClock {
    var now: ChatTime { ChatTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
