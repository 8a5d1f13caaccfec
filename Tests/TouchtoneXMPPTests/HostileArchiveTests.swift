// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of archives whose answers differ from what was asked.
final class HostileArchiveTests: XMPPTestCase {
    func testArchiveThatIgnoresLimitLosesNothing() throws {
        try onMainActor {
            let names = (1...103).map { "\($0)" }
            let store = try known(
                Script.archive("<max>100</max>", names, isComplete: true)
                    + Script.archive("<after>100</after>", Array(names.suffix(3))))
            XCTAssertEqual(store.table.messages(of: alan).map(\.text), names)
            XCTAssertEqual(store.table.archiveCursor(), "100")
        }
    }

    func testIDsThatCannotBeSentAreNotUsed() throws {
        try onMainActor {
            for last in [String(repeating: "x", count: 5000), ""] {
                let store = try known(
                    Script.archive("<max>100</max>", ["1", "2"], isComplete: false, last: last)
                        + Script.archive("<after>2</after>", [last, "3"], isComplete: true))
                XCTAssertEqual(store.table.messages(of: alan).map(\.text), ["1", "2", "3"])
                XCTAssertEqual(store.table.archiveCursor(), "2")
            }
        }
    }

    func testRepeatedIDsAndStampsOfFutureAreHarmless() throws {
        try onMainActor {
            let store = try known(
                Script.archive(
                    "<max>100</max>", ["1", "1", "2", "1"], isComplete: true, stamp: "9999-12-31T23:59:59Z"))
            let messages = store.table.messages(of: alan)
            XCTAssertEqual(messages.map(\.text).sorted(), ["1", "2"])
            XCTAssert(messages.allSatisfy { $0.time.milliseconds <= 4_000_000_000_000 })
        }
    }
}

private let alan = ChatAddress("alan@localhost")

/// Returns what a device knows after it has caught up with an archive.
@MainActor
private func known(_ answers: String) throws -> MemoryMessageStore {
    let store = MemoryMessageStore()
    store.table.setArchiveCursor("0")
    let anchor = Script.archive("<before>0</before>", [], isComplete: true)
    // It has more than its newest page, and nothing that can be read in that.
    let newest = Script.archive("<before/>", [], isComplete: false)
    let (fixture, server) = try scripted(
        [Script.online + settingUp + anchor + newest + answers + "wait"], store: store)
    waitUntil("it is ready") { fixture.readyCount == 1 }
    XCTAssertEqual(fixture.states.last, .online)
    _ = try fixture.archiveCursor()
    fixture.chat.signOut()
    server.end()
    return store
}
