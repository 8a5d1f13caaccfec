// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests that no stanza from a buddy or a server, on the stream or from the archive, keeps the next message away.
final class HostileStanzaTests: XMPPTestCase {
    func testRelayedStanzaDoesNotDelayNextMessage() throws {
        try onMainActor {
            let grace = try fixture("grace")
            var alan = try fixture("alan")
            try befriend(grace, alan)
            guard let address = grace.client.address else { return XCTFail("grace is away") }
            let kinds = HostileStanzas.all
            // The kinds at which the server itself ends the stream of the sender.
            var refused: [String] = []
            var slowest = (time: Duration.zero, kind: "")
            let start = residentBytes()
            for (index, kind) in kinds.enumerated() {
                let hostile = kind.make(address)
                alan.client.send(hostile)
                let sent = ContinuousClock.now
                alan.client.send(Message(to: grace.jid, id: "o\(index)", body: "ordinary \(index)").element)
                push(hostile, by: alan)
                waitUntil("the message after \(kind.name) is there", seconds: 30) {
                    grace.texts.last == "ordinary \(index)" || alan.isRefused
                }
                if alan.isRefused {
                    refused.append(kind.name)
                    alan.chat.signOut()
                    alan = XMPPAccountFixture(alan.client.account)
                    waitUntil("alan is back") { alan.readyCount == 1 }
                    alan.client.send(
                        Message(to: grace.jid, id: "o\(index)", body: "ordinary \(index)").element)
                    waitUntil("the message is there") { grace.texts.last == "ordinary \(index)" }
                }
                let time = ContinuousClock.now - sent
                if time > slowest.time { slowest = (time, kind.name) }
                guard grace.texts.last == "ordinary \(index)" else { return XCTFail(kind.name) }
            }
            XCTAssertEqual(refused, TestServer.current == .prosody ? [] : HostileStanzas.refusedByEjabberd)
            print("\(kinds.count) kinds; the longest time until the next message: \(slowest)")
            for fixture in [grace, alan] {
                XCTAssertEqual(fixture.states.filter { $0 == .connecting }.count, 1, "\(fixture.states)")
                XCTAssertEqual(fixture.states.last, .online)
            }
            XCTAssertGreaterThan(grace.dropped.count { $0.contains("exceeds the limit") }, 10)
            XCTAssertLessThan(residentBytes() - start, 300 << 20)
            let ordinary = kinds.indices.map { "ordinary \($0)" }
            XCTAssertEqual(grace.texts.filter { $0.hasPrefix("ordinary") }, ordinary)

            // From the archive: on first use, and after an absence.
            let mark = grace.came[0].archiveName
            XCTAssertNotNil(mark)
            for mark in [nil, mark] {
                let store = MemoryMessageStore()
                store.table.setArchiveCursor(mark)
                let again = XMPPAccountFixture(grace.client.account, store: store)
                waitUntil("all is there", seconds: 120) { again.readyCount == 1 }
                XCTAssertEqual(again.states.filter { $0 == .connecting }.count, 1, "\(again.states)")
                // Everything reported so far is stored before the position is read.
                _ = try again.archiveCursor()
                let known = store.table.messages(of: alan.address).map(\.text)
                    .filter { $0.hasPrefix("ordinary") }
                XCTAssertEqual(known, Array(ordinary.suffix(known.count)))
                XCTAssertGreaterThan(known.count, mark == nil ? 50 : kinds.count - 2)
                let last = Message(to: grace.jid, body: "and now").element
                alan.client.send(last)
                push(last, by: alan)
                waitUntil("the next is there") { again.texts.last == "and now" }
                again.chat.signOut()
            }
        }
    }

    func testServerStanzaDoesNotDelayNextMessage() throws {
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
            // All stanzas are counted, because an uncounted one would be sent again endlessly.
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

    func testInvalidStreamIsClosedAndReconnectedOnce() throws {
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
                // Earlier stanzas are kept, and the stream is not resumed, because that would repeat the invalid one.
                XCTAssertEqual(session.bodies, (0...index).map { "ordinary \($0)" }, kind)
                XCTAssertEqual(session.beginnings.count, index + 1, kind)
                session.clock.advance(by: session.clock.nextDelay ?? .zero)
            }
            waitUntil("the last message is there") { session.bodies.count == kinds.count + 1 }
            XCTAssertEqual(Set(session.beginnings), ["new"])
            session.client.signOut()
        }
    }

    func testRepeatedlyBrokenStreamReconnectsLessOften() throws {
        try onMainActor {
            let script = Script.online + "send \(ordinary(0))\nsend <a></b>\nwait"
            let (session, _) = try session(
                script, script, script, script, Script.online + Script.cut, Script.online)
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
            // A lost connection is not such a violation.
            XCTAssertLessThanOrEqual(delays[4], .seconds(2))
            XCTAssertEqual(session.bodies.count, 4)
            session.client.signOut()
        }
    }

    func testWrongCountEndsResumption() throws {
        try onMainActor {
            // A stream with a wrong count, or with a refused resumption, is not resumed again.
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
                    Script.online + Script.cut, refuted, Script.online + "send \(ordinary(1))\nwait")
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

    func testEverChangingNamesTakeNoMemory() throws {
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

/// Makes the server process its input, because its expat may defer a split tag until twice as much data has arrived.
@MainActor
private func push(_ stanza: XMLElement, by fixture: XMPPAccountFixture) {
    let tags = stanza.serialized().utf8.split(separator: UInt8(ascii: "<"))
    let longest = tags.map { $0.prefix { $0 != UInt8(ascii: ">") }.count }.max() ?? 0
    let filler = XMLElement("x", "urn:x", text: String(repeating: " ", count: 2 * longest + 1000))
    fixture.client.send(
        XMLElement("iq", "jabber:client", ["type": "result", "id": "x", "to": "localhost"], [filler]))
}

private func ordinary(_ number: Int) -> String {
    "<message from='alan@localhost/x' type='chat'><body>ordinary \(number)</body></message>"
}

extension XMPPAccountFixture {
    /// Whether the server has ended the stream.
    fileprivate var isRefused: Bool { if case .waiting = chat.state { true } else { false } }
}

extension XMPPError {
    /// Whether it reports a protocol violation.
    fileprivate var isBreach: Bool {
        switch self {
        case .notXMPP, .tooLarge: true
        default: false
        }
    }
}
