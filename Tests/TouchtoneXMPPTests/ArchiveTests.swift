// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of missed messages and older history from the archive of an independent server.
final class ArchiveTests: XMPPTestCase {
    func testMissedMessagesAreDeliveredOnceInOrder() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            try befriend(grace, alan)
            alan.send("0", to: grace.address)
            waitUntil("the first is there") { grace.texts == ["0"] }
            grace.chat.setPresence(OwnPresence(.offline))
            // Otherwise a session that ends may still take a message, which ejabberd then stores late.
            waitUntil("she is offline for the server") { alan.presence(of: grace.address).isEmpty }
            for index in 1..<300 { alan.send("\(index)", to: grace.address) }
            waitUntil("the server has them") { alan.acknowledged.count == 300 }
            grace.forgetEvents()
            grace.chat.setPresence(OwnPresence(.online))
            waitUntil("it is ready") { grace.readyCount == 1 }
            // Some of them arrived on the stream, too, because the server stored them for offline users; the newest came first.
            let texts = (0..<300).map { "\($0)" }
            waitUntil("all are stored in order") {
                grace.store.table.messages(of: alan.address).map(\.text) == texts
            }
            // Only a second answer proves that the first one lacked nothing.
            XCTAssertNotEqual(try grace.archiveCursor(), grace.came.last?.archiveName)
            XCTAssertEqual(grace.dropped, [])
            grace.passTime(CatchUp.lag)
            waitUntil("the position has moved") {
                grace.came.last?.text == "299"
                    && grace.store.table.archiveCursor() == grace.came.last?.archiveName
            }
        }
    }

    func testArchivedOwnMessagesAreRecognized() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            grace.send("hello", to: alan.address, name: "m1")
            waitUntil("it is there") { alan.texts == ["hello"] }
            let phone = XMPPAccountFixture(grace.client.account)
            waitUntil("it is ready") { phone.readyCount == 1 }
            XCTAssertEqual(phone.came.map(\.sender), [.me])
            XCTAssertEqual(phone.came.map(\.buddy), [alan.address])
            XCTAssertEqual(phone.came.map(\.name), ["m1"])
        }
    }

    func testOlderHistoryLoadsInPages() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            let bob = try fixture("bob")
            for index in 0..<120 {
                alan.send("\(index)", to: grace.address)
                bob.send("x", to: grace.address, name: "x\(index)")
            }
            waitUntil("all have come") { grace.texts.count == 240 }
            let history = { (before: String?) in
                grace.forgetEvents()
                let chat = grace.chat
                let buddy = alan.address
                let hasMore = try awaited { try await chat.messaging.loadHistory(of: buddy, before: before) }
                let pieces = grace.facts.compactMap { fact -> [ReceivedMessage]? in
                    guard case .archived(let piece) = fact, piece.end == .oldest(of: buddy) else {
                        return nil
                    }
                    return piece.messages
                }
                XCTAssertEqual(pieces.count, 1)
                return (pieces.first ?? [], hasMore)
            }
            var all: [ReceivedMessage] = []
            var hasMore = true
            while hasMore {
                let (page, more) = try history(all.first?.archiveName)
                all = page + all
                hasMore = more
                XCTAssertLessThanOrEqual(page.count, 50)
            }
            XCTAssertEqual(all.map(\.text), (0..<120).map { "\($0)" })
            XCTAssertTrue(all.allSatisfy { $0.receiptRequests == [] && $0.buddy == alan.address })
            let chat = grace.chat
            let buddy = alan.address
            // ejabberd ignores an unknown id.
            XCTAssertEqual(
                try awaited {
                    try await chat.messaging.loadHistory(of: buddy, before: "nothing of the kind")
                },
                TestServer.current == .ejabberd)
        }
    }

    func testReceiptsDoNotMarkStartOfHistory() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            alan.send("first", to: grace.address, name: "m0")
            waitUntil("it has come") { grace.texts == ["first"] }
            for index in 0..<70 {
                alan.client.send(
                    Message(
                        to: grace.jid, id: "r\(index)",
                        extensions: [
                            XMLElement("received", "urn:xmpp:receipts", ["id": "none\(index)"]),
                            XMLElement("store", "urn:xmpp:hints"),
                        ]
                    ).element)
            }
            waitUntil("all have come") {
                grace.facts.contains(.delivered(buddy: alan.address, name: "none69"))
            }
            grace.forgetEvents()
            let (chat, buddy) = (grace.chat, alan.address)
            let hasMore = try awaited { try await chat.messaging.loadHistory(of: buddy, before: nil) }
            XCTAssertFalse(hasMore)
            XCTAssertTrue(
                grace.facts.contains {
                    if case .archived(let piece) = $0 {
                        piece.messages.map(\.text) == ["first"]
                    } else {
                        false
                    }
                })
        }
    }

    func testUnknownArchiveMarkLosesNothing() throws {
        try onMainActor {
            let (grace, alan) = try desks()
            for index in 0..<5 { alan.send("\(index)", to: grace.address) }
            waitUntil("they have come") { grace.texts.count == 5 }
            grace.chat.setPresence(OwnPresence(.offline))
            let store = MemoryMessageStore()
            store.table.setArchiveCursor("nothing of the kind")
            let again = XMPPAccountFixture(grace.client.account, store: store)
            waitUntil("it is ready") { again.readyCount == 1 }
            XCTAssertEqual(again.texts, (0..<5).map { "\($0)" })
            if TestServer.current == .prosody {
                XCTAssertNotEqual(try again.archiveCursor(), "nothing of the kind")
            }
        }
    }
}

extension XMPPAccountFixture {
    /// The names of the user's messages that the server has.
    var acknowledged: [String] {
        facts.compactMap { if case .acknowledged(_, let name) = $0 { name } else { nil } }
    }
}
