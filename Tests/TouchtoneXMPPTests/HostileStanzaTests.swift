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
