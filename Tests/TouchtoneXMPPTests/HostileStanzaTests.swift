// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import TouchtoneXMPP
import XCTest

/// Nothing that a buddy or a server sends, by the stream or from the archive, keeps the next message away.
final class HostileStanzaTests: XMPPTestCase {
    func testNothingThatAServerSaysHoldsUpTheNextMessage() throws {
        try onMainActor {
            let kinds = HostileLines.harmless
            var script = Script.online
            for (index, kind) in kinds.enumerated() {
                script += "\(kind)\nsend \(ordinary(index))\n"
            }
            let stanzas = kinds.count { line in
                line != "send <message xmlns=''/>"
                    && ["<message", "<iq", "<presence", "c:message"].contains { line.contains($0) }
            }
            // All are counted: what is not would come again for ever.
            script +=
                "send <r xmlns='urn:xmpp:sm:3'/>\nexpect <a [^>]*h='\(stanzas + kinds.count)'\nsay counted\nwait"
            let (session, server) = try session(script)
            waitUntil("all is there", seconds: 60) {
                session.bodies.last == "ordinary \(kinds.count - 1)" || session.reason != nil
            }
            XCTAssertNil(session.reason, "after \(session.bodies.last ?? "nothing") of \(kinds.count)")
            XCTAssertEqual(
                session.bodies.filter { $0.hasPrefix("ordinary") }, kinds.indices.map { "ordinary \($0)" })
            XCTAssertEqual(session.beginnings, ["new"])
            waitUntil("it is counted") { server.output.contains("counted") }
            session.client.signOut()
        }
    }

    func testWhatIsNoStreamEndsItForOneReconnection() throws {
        try onMainActor {
            let kinds = HostileLines.broken
            let scripts = kinds.indices.map {
                Script.online + "send \(ordinary($0))\n\(kinds[$0])\nwait"
            }
            let (session, _) = try session(scripts + [Script.online + "send \(ordinary(kinds.count))\nwait"])
            for (index, kind) in kinds.enumerated() {
                waitUntil("the stream has ended by \(kind)") { session.reason != nil }
                guard let reason = session.reason, reason.isBreach else {
                    return XCTFail("\(kind): \(session.client.state)")
                }
                // What came before it is not lost; and the stream is not gone on with, which would bring it again.
                XCTAssertEqual(session.bodies, (0...index).map { "ordinary \($0)" }, kind)
                XCTAssertEqual(session.beginnings.count, index + 1, kind)
                session.clock.advance(by: session.clock.nextDelay ?? .zero)
            }
            waitUntil("the last message is there") { session.bodies.count == kinds.count + 1 }
            XCTAssertEqual(Set(session.beginnings), ["new"])
            session.client.signOut()
        }
    }

    func testAServerThatKeepsBreakingTheStreamIsAskedLessAndLessOften() throws {
        try onMainActor {
            let script = Script.online + "send \(ordinary(0))\nsend <a></b>\nwait"
            let (session, _) = try session(
                script, script, script, script, Script.online + "reset", Script.online)
            var delays: [Duration] = []
            for round in 1...5 {
                waitUntil("stream \(round) has ended") {
                    session.beginnings.count == round && session.reason != nil
                }
                let delay = try XCTUnwrap(session.clock.nextDelay)
                delays.append(delay)
                session.clock.advance(by: delay)
                XCTAssertNil(session.reason)
            }
            XCTAssertLessThanOrEqual(delays[0], .seconds(2))
            XCTAssertGreaterThanOrEqual(delays[3], .seconds(8))
            // A connection that breaks is no such thing.
            XCTAssertLessThanOrEqual(delays[4], .seconds(2))
            XCTAssertEqual(session.bodies.count, 4)
            session.client.signOut()
        }
    }

    func testACountThatIsWrongEndsTheResumption() throws {
        try onMainActor {
            // What is resumed with a wrong count, or refused as never before, is not resumed again.
            for answer in [
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='7'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous' h='x'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='previous'/>",
                "<resumed xmlns='urn:xmpp:sm:3' previd='other' h='0'/>",
                "<failed xmlns='urn:xmpp:sm:3' h='7'/>", "<enabled xmlns='urn:xmpp:sm:3'/>", "<a></b>",
                "<stream:error><undefined-condition xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>",
            ] {
                let refuted = Script.signedIn + "expect <resume [^>]*>\nsend \(answer)\nwait"
                let (session, _) = try session(
                    Script.online + "reset", refuted, Script.online + "send \(ordinary(1))\nwait")
                waitUntil("it is online") { session.beginnings == ["new"] }
                for _ in 0..<2 {
                    waitUntil("the connection has ended") { session.reason != nil }
                    session.clock.advance(by: session.clock.nextDelay ?? .zero)
                }
                waitUntil("it comes back after \(answer)") { session.bodies == ["ordinary 1"] }
                XCTAssertEqual(session.beginnings, ["new", "new"])
                session.client.signOut()
            }
        }
    }

    func testNamesThatAreNeverTheSameTakeNoMemory() throws {
        let parser = XMLStreamParser()
        _ = try parser.parse(Array("<stream:stream xmlns='jabber:client' xmlns:stream='urn:s'>".utf8))
        let start = residentBytes()
        for number in 0..<300 {
            let elements = (0..<500).map { "<n\(number)-\($0) a\(number)-\($0)=''/>" }
            XCTAssertEqual(try parser.parse(Array("<a>\(elements.joined())</a>".utf8)).count, 1)
        }
        // Expat alone keeps each name: some 40 MB.
        XCTAssertLessThan(residentBytes() - start, 16 << 20)
    }
}

private func ordinary(_ number: Int) -> String {
    "<message from='alan@localhost/x' type='chat'><body>ordinary \(number)</body></message>"
}

extension XMPPError {
    /// Whether it says that the server breaks rules.
    fileprivate var isBreach: Bool {
        switch self {
        case .notXMPP, .tooLarge: true
        default: false
        }
    }
}
