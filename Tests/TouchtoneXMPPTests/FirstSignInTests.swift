// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of the past that a device loads from the archive after its first sign-in.
final class FirstSignInTests: XMPPTestCase {
    func testPagesAreKeptThroughCutAfterEachQuery() throws {
        try onMainActor {
            let alan = ChatAddress("alan@localhost")
            // Each connection breaks after a query of the past, before its answer.
            let starts = Script.online + settingUp
            let scripts = [
                starts + Script.archive("<before/>", ["6"]) + Script.query("<before>6</before>") + "reset",
                starts + Script.archive("<after>6</after>", [])
                    + Script.archive("<before>6</before>", ["4", "5"])
                    + Script.query("<before>4</before>") + "reset",
                starts + Script.archive("<after>6</after>", ["7"])
                    + Script.archive("<before>4</before>", ["2", "3"])
                    + Script.query("<before>2</before>") + "reset",
                starts + Script.archive("<after>6</after>", ["7", "8"])
                    + Script.archive("<before>2</before>", ["1"], isComplete: true) + "wait",
                starts + Script.archive("<before>6</before>", ["1", "2", "3", "4", "5"])
                    + Script.archive("<before/>", ["6", "7", "8"]) + "wait",
            ]
            let known = ["6", "456", "234567", "12345678", "12345678"]
            let store = MemoryMessageStore()
            let (first, server) = try scripted(scripts, store: store)
            var fixture = first
            for (index, texts) in known.enumerated() {
                if index > 0 { fixture = XMPPAccountFixture(first.client.account, store: store) }
                let isCut = scripts[index].hasSuffix("reset")
                waitUntil("program \(index) has what the archive sent") {
                    guard store.table.messages(of: alan).count == texts.count else { return false }
                    if case .waiting? = fixture.states.last { return isCut }
                    return !isCut && fixture.readyCount == 1
                }
                XCTAssertEqual(store.table.messages(of: alan).map(\.text), texts.map { "\($0)" })
                XCTAssertEqual(store.table.unreadCount(alan), texts.filter { $0 > "6" }.count)
                fixture.chat.signOut()
            }
            XCTAssertNil(store.table.archivePast())
            server.end()
        }
    }
}
