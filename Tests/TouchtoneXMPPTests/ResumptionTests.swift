// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests that a broken and resumed stream delivers every message once and in order.
final class ResumptionTests: XMPPTestCase {
    func testResumesAfterSeveralFailedAttempts() throws {
        try onMainActor {
            let first =
                Script.online + message("one") + message("two")
                + "expect <body>a</body>\nsend <a xmlns='urn:xmpp:sm:3' h='1'/>\nexpect <body>b</body>\nreset"
            let last =
                Script.signedIn + """
                    expect <resume [^>]*h='2' previd='previous'|<resume [^>]*previd='previous' h='2'
                    send <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='1'/>
                    expect <body>b</body>.*<body>c</body>.*<r [^>]*>
                    send <a xmlns='urn:xmpp:sm:3' h='3'/>

                    """ + message("three") + "wait"
            let (session, _) = try session(first, "reset", Script.secure() + "reset", "reset", last)
            waitUntil("messages have come") { session.bodies == ["one", "two"] }
            send("a", session)
            waitUntil("the first is there") { session.acknowledged == ["a"] }
            send("b", session)
            waitUntil("the connection is lost") { session.reason != nil }
            send("c", session)
            for _ in 0..<3 {
                retry(session)
                waitUntil("it is tried") { session.reason == nil }
            }
            retry(session)
            waitUntil("all is there") {
                session.acknowledged == ["a", "b", "c"] && session.bodies.count == 3
            }
            XCTAssertEqual(session.bodies, ["one", "two", "three"])
            XCTAssertEqual(session.notDelivered, [])
            XCTAssertEqual(session.beginnings, ["new", "resumed"])
            session.client.signOut()
        }
    }

    func testStreamThatEndsLateLeavesNextOne() throws {
        try onMainActor {
            // The server does not close the stream of the sign-out before the next one is up.
            let next = Script.online + "say next\nexpect <body>a</body>\n" + message("one") + "wait"
            let (session, server) = try session(Script.online + "wait", next)
            waitUntil("it is online") { session.isOnline }
            session.client.signOut()
            session.client.signIn()
            waitUntil("it is online again") { session.isOnline && server.output.contains("next") }
            session.clock.advance(by: Timeouts().urgentPong)
            waitUntil("the first connection is aborted") { server.output.contains("end") }
            send("a", session)
            waitUntil("the next stream works") { session.bodies == ["one"] || !session.isOnline }
            XCTAssert(session.isOnline)
            XCTAssertEqual(session.notDelivered, [])
            session.client.signOut()
        }
    }

    func testWorkingStreamThatIsCutIsBackAtOnce() throws {
        try onMainActor {
            let cut = "expect <body>cut</body>\nreset"
            let resumed =
                Script.signedIn + """
                    expect <resume [^>]*>
                    send <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='1'/>

                    """ + cut
            let (session, _) = try session(Script.online + cut, "reset", resumed, Script.online + "wait")
            var delays: [Duration] = []
            // The stream works for a while, the next attempt fails, and the stream after it is cut at once.
            for uptime in [Duration.seconds(1), nil, .zero] {
                if let uptime {
                    waitUntil("it is online") { session.isOnline }
                    session.clock.advance(by: uptime)
                    send("cut", session)
                }
                waitUntil("the connection is lost") { session.reason != nil }
                let delay = session.clock.nextDelay ?? .zero
                delays.append(delay)
                session.clock.advance(by: delay)
                waitUntil("it is tried") { session.reason == nil }
            }
            XCTAssertLessThanOrEqual(delays[0], .milliseconds(500))
            XCTAssertGreaterThanOrEqual(delays[1], .seconds(1))
            XCTAssertGreaterThanOrEqual(delays[2], .seconds(1))
            XCTAssertEqual(session.beginnings.prefix(2), ["new", "resumed"])
            session.client.signOut()
        }
    }

    func testLostStreamReturnsUnacknowledgedStanzas() throws {
        try onMainActor {
            let first = Script.online + "expect <body>a</body>.*<body>b</body>\nreset"
            let failed =
                Script.signedIn + """
                    expect <resume [^>]*>
                    send <failed xmlns='urn:xmpp:sm:3' h='1'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>
                    expect <iq type='set' id='([^']*)'.*?</iq>
                    send <iq type='result' id='{1}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>grace@localhost/phone</jid></bind></iq>
                    expect <enable [^>]*>
                    send <enabled xmlns='urn:xmpp:sm:3' id='next' resume='true'/>
                    wait
                    """
            let (session, _) = try session(first, failed)
            waitUntil("it is online") { session.isOnline }
            send("a", session)
            send("b", session)
            retry(session)
            waitUntil("it is online again") { session.isOnline }
            XCTAssertEqual(session.acknowledged, ["a"])
            XCTAssertEqual(session.notDelivered, ["b"])
            XCTAssertEqual(session.beginnings, ["new", "new"])
            session.client.signOut()
        }
    }

    func testCountSurvivesFailedAttempt() throws {
        try onMainActor {
            let first = Script.online + "expect <body>a</body>.*<body>b</body>\nreset"
            let failing =
                Script.signedIn + "expect <resume [^>]*>\nsend <failed xmlns='urn:xmpp:sm:3' h='1'/>\n"
                + "expect <bind \nreset"
            let last =
                Script.signedIn + """
                    expect <resume [^>]*>
                    send <failed xmlns='urn:xmpp:sm:3'/>
                    expect <iq type='set' id='([^']*)'.*?</iq>
                    send <iq type='result' id='{1}'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>grace@localhost/phone</jid></bind></iq>
                    expect <enable [^>]*>
                    send <enabled xmlns='urn:xmpp:sm:3' id='next' resume='true'/>
                    wait
                    """
            let (session, _) = try session(first, failing, last)
            waitUntil("it is online") { session.isOnline }
            send("a", session)
            send("b", session)
            retry(session)
            waitUntil("it is tried") { session.reason == nil }
            retry(session)
            waitUntil("it is online again") { session.isOnline }
            XCTAssertEqual(session.acknowledged, ["a"])
            XCTAssertEqual(session.notDelivered, ["b"])
            session.client.signOut()
        }
    }

    func testProsodyResumes() throws {
        try onMainActor {
            let server = try TestServer.shared()
            let relay = try Relay(to: server.port)
            var account = try account("grace")
            account.port = relay.port
            let grace = Session(account)
            grace.client.signIn()
            waitUntil("grace is online") { grace.isOnline }
            let alan = try signedIn("alan")
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
                waitUntil("it is back") { grace.isOnline }
            }
            waitUntil("all is there") { grace.bodies.count >= 6 && alan.bodies.count >= 6 }
            XCTAssertEqual(grace.bodies, (0..<3).flatMap { ["in \($0)", "while away \($0)"] })
            XCTAssertEqual(alan.bodies, (0..<3).flatMap { ["out \($0)", "from away \($0)"] })
            XCTAssertEqual(grace.beginnings, ["new", "resumed", "resumed", "resumed"])
            grace.client.signOut()
            alan.client.signOut()
        }
    }

    func testReturningNetworkIsUsedAtOnce() throws {
        try onMainActor {
            let (session, server) = try session("reset", Script.online + "expect <r [^>]*>\nsay asked\nwait")
            waitUntil("the connection is lost") { session.reason != nil }
            session.network.onChange?(false)
            XCTAssertNotNil(session.reason)
            session.network.onChange?(true)
            waitUntil("it is online") { session.isOnline }
            // A network that changed below a stream is tested for whether it still carries it.
            session.network.onChange?(true)
            waitUntil("it asks") { server.output.contains("asked") }
            session.clock.advance(by: .seconds(5))
            waitUntil("it is given up") { session.reason == .silent(.online) }
            session.client.signOut()
        }
    }

    func testSystemNetworkAndResolverAreUsed() throws {
        try onMainActor {
            // A name that exists on no network (RFC 6761).
            XCTAssertNil(try awaited { await SystemServiceLookup().records(of: "touchtone.invalid") })
            var account = XMPPAccount(jid: try XCTUnwrap(JID("grace@touchtone.invalid")), password: "secret")
            account.tls = .automatic
            let client = XMPPClient(account: account, clock: ManualScheduler())
            client.signIn()
            waitUntil("it has failed") {
                if case .waiting = client.state, case .unreachable? = client.lastError { true } else { false }
            }
            client.signOut()
        }
    }

    func testServerIsNotifiedOfClientActivity() throws {
        try onMainActor {
            let script =
                Script.online + """
                    expect <inactive [^>]*>
                    say inactive
                    expect <active [^>]*>
                    say active
                    wait
                    """
            let (session, server) = try session(script)
            waitUntil("it is online") { session.isOnline }
            session.client.isActive = false
            waitUntil("it is told") { server.output.contains("inactive") }
            session.client.isActive = true
            waitUntil("it is told") { server.output.contains("active") }
            session.client.signOut()
        }
    }

    func testResponseFromOtherSenderIsDropped() throws {
        try onMainActor {
            let script =
                Script.online + """
                    expect <iq type='get' id='([^']*)'
                    send <iq type='result' id='{1}' from='mallory@localhost/x'><x xmlns='urn:x'/></iq>
                    send <iq type='result' id='{1}' from='alan@localhost/x'><y xmlns='urn:x'/></iq>
                    wait
                    """
            let (session, _) = try session(script)
            waitUntil("it is online") { session.isOnline }
            let client = session.client
            let answer = try awaited {
                try await client.request(.get, to: JID("alan@localhost/x"), XMLElement("q", "urn:x"))
            }
            XCTAssertEqual(answer?.name, "y")
            XCTAssertEqual(session.dropped, ["unrequested answer"])
            var error: RequestError?
            Task {
                do throws(RequestError) {
                    _ = try await client.request(.get, XMLElement("q", "urn:x"))
                } catch let reason {
                    error = reason
                }
            }
            waitUntil("it is asked") { session.clock.nextDelay.map { $0 <= .seconds(60) } == true }
            session.clock.advance(by: .seconds(60))
            waitUntil("nobody has answered") { error != nil }
            XCTAssertEqual(error, .timeout)
            session.client.signOut()
        }
    }
}

private let template =
    "send <message from='alan@localhost/x' to='grace@localhost/phone'><body>%</body></message>\n"

private func message(_ body: String) -> String { template.replacingOccurrences(of: "%", with: body) }

@MainActor
private func send(_ body: String, _ session: Session) {
    session.client.send(Message(to: JID("alan@localhost"), id: body, body: body).element)
}

/// Advances the clock to the next attempt.
@MainActor
private func retry(_ session: Session) {
    waitUntil("the connection is lost") { session.reason != nil }
    session.clock.advance(by: session.clock.nextDelay ?? .zero)
}
