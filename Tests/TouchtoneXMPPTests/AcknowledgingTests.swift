// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
@testable import TouchtoneXMPP
import XCTest

/// Tests that stanzas are acknowledged only once they are stored, so that the server resends them to a killed program.
final class AcknowledgingTests: XMPPTestCase {
    func testAcknowledgementWaitsUntilStanzasAreStored() throws {
        try onMainActor {
            let script =
                Script.online + message("one") + asking + message("two") + asking
                + "expect ^(?:(?!<a ).)*<body>early</body>\nsay early\n"
                + "expect ^(?:(?!<a ).)*<a [^>]*h='1'\nsay one\n"
                + "expect ^(?:(?!<a ).)*<body>between</body>\nsay between\n"
                + "expect ^(?:(?!<a ).)*<a [^>]*h='2'\nsay two\nexpect <a \nsay more\nwait"
            let (session, server) = try session(script)
            let disk = Disk(session.client)
            waitUntil("messages have come") { session.bodies == ["one", "two"] && disk.waiting.count == 1 }
            send("early", session)
            waitUntil("nothing was told") { server.output.contains("early") }
            // Each request is queued separately, so that no count precedes an earlier one.
            disk.handle()
            waitUntil("the first count is told") { server.output.contains("one") && disk.waiting.count == 1 }
            send("between", session)
            waitUntil("nothing more was told") { server.output.contains("between") }
            disk.handle()
            waitUntil("the second count is told") { server.output.contains("two") }
            XCTAssertEqual(disk.waiting.count, 0)
            session.client.signOut()
            waitUntil("the last word waits, too") { disk.waiting.count == 1 }
            disk.handle()
            waitUntil("it is told") { server.output.contains("more") }
        }
    }

    func testResumptionUsesStoredCount() throws {
        try onMainActor {
            let first =
                Script.online + message("one") + asking + message("two") + "expect <body>x</body>\nreset"
            let second =
                "say here\n" + Script.signedIn + """
                    expect <resume [^>]*h='2'
                    send <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='1'/>

                    """ + message("three") + asking + """
                    expect ^(?:(?!<a ).)*<a [^>]*h='3'
                    say told
                    expect ^(?:(?!<a ).)*<body>y</body>
                    say quiet
                    wait
                    """
            let (session, server) = try session(first, second)
            let disk = Disk(session.client)
            waitUntil("messages have come") { session.bodies == ["one", "two"] && disk.waiting.count == 1 }
            send("x", session)
            waitUntil("the connection is lost") { session.reason != nil }
            session.clock.advance(by: session.clock.nextDelay ?? .zero)
            waitUntil("the request to go on waits") { disk.waiting.count == 2 }
            XCTAssertFalse(server.output.contains("here"))
            let late = disk.waiting.removeFirst()
            disk.handle()
            waitUntil("the third has come") { session.bodies.count == 3 && disk.waiting.count == 1 }
            disk.handle()
            waitUntil("the count is told") { server.output.contains("told") }
            // A request of the previous stream is answered too late to matter.
            late()
            send("y", session)
            waitUntil("nothing was told") { server.output.contains("quiet") }
            XCTAssertEqual(session.beginnings, ["new", "resumed"])
            session.client.beforeAcknowledging = nil
            session.client.signOut()
        }
    }

    /// Prosody 13 may resume a stream, send on it, and read nothing: the messages would wait for ever.
    func testStreamThatIsNotReadIsNotResumedAgain() throws {
        try onMainActor {
            let resumed =
                Script.signedIn
                + "expect <resume [^>]*>\nsend <resumed xmlns='urn:xmpp:sm:3' previd='previous' h='0'/>\n"
            let (session, _) = try session(
                Script.online + "expect <body>x</body>\nreset",
                resumed + "expect <body>x</body>\nsend <a xmlns='urn:xmpp:sm:3' h='0'/>\nreset",
                resumed + message("one") + "wait", Script.online + message("two") + "wait")
            waitUntil("it is online") { session.isOnline }
            send("x", session)
            for _ in 0..<2 {
                waitUntil("the connection is lost") { session.reason != nil }
                session.clock.advance(by: session.clock.nextDelay ?? .zero)
            }
            waitUntil("it is resumed again") {
                session.beginnings == ["new", "resumed", "resumed"] && session.bodies == ["one"]
            }
            session.clock.advance(by: .seconds(120))
            session.clock.advance(by: .seconds(30))
            waitUntil("it is given up") { session.reason == .silent(.online) }
            XCTAssertEqual(session.notDelivered, ["x"])
            session.clock.advance(by: session.clock.nextDelay ?? .zero)
            waitUntil("a new stream begins") { session.bodies == ["one", "two"] }
            XCTAssertEqual(session.beginnings, ["new", "resumed", "resumed", "new"])
            session.client.signOut()
        }
    }

    func testSlowDiskIsWaitedForAgain() throws {
        try onMainActor {
            let first = Script.online + message("one") + "expect <body>x</body>\nreset"
            let (session, _) = try session(first, Script.signedIn + "wait")
            let disk = Disk(session.client)
            waitUntil("it has come") { session.bodies == ["one"] }
            send("x", session)
            waitUntil("the connection is lost") { session.reason != nil }
            session.clock.advance(by: session.clock.nextDelay ?? .zero)
            waitUntil("it is tried") { disk.waiting.count == 1 }
            session.clock.advance(by: .seconds(30))
            waitUntil("it is given up for now") { session.reason != nil }
            session.clock.advance(by: session.clock.nextDelay ?? .zero)
            waitUntil("it is tried again") { disk.waiting.count == 2 }
            disk.handle()
            disk.handle()
            waitUntil("it asks the server") { session.clock.nextDelay == .seconds(30) }
            session.client.signOut()
        }
    }
}

/// A disk that stores only what the test allows.
@MainActor
private final class Disk {
    var waiting: [@MainActor () -> Void] = []

    init(_ client: XMPPClient) {
        client.beforeAcknowledging = { [weak self] completion in self?.waiting.append(completion) }
    }

    func handle() { waiting.removeFirst()() }
}

private let asking = "send <r xmlns='urn:xmpp:sm:3'/>\n"

private func message(_ body: String) -> String {
    "send <message from='alan@localhost/x' to='grace@localhost/phone'><body>\(body)</body></message>\n"
}

@MainActor
private func send(_ body: String, _ session: Session) {
    session.client.send(Message(to: JID("alan@localhost"), id: body, body: body).element)
}
