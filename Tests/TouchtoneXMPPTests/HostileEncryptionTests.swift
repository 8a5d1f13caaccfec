// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// Tests with hostile encrypted messages, lists and keys, on an independent server.
final class HostileEncryptionTests: XMPPTestCase {
    func testNextMessageComesAfterManyBrokenOnes() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            alan.send("hello", to: grace.address)
            waitUntil("it has come") { grace.has(["hello"], of: alan.address) }
            let own = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow).device }
            let raw = try RawDesk(alan.account)
            for index in 0..<TestLength.cases(300, long: 1000) {
                raw.sendRaw(Self.broken[index % Self.broken.count](own, index), to: grace.address, id: index)
            }
            raw.send("the end", to: grace.address)
            waitUntil("all have come") { grace.texts(with: alan.address).last == "the end" }
            alan.send("still there?", to: grace.address)
            waitUntil("it has come") { grace.texts(with: alan.address).last == "still there?" }
            XCTAssertEqual(
                grace.messages(with: alan.address).last?.content.protection, .encrypted(.blind))
            // Each broken one that had a text stands in its place, and nothing that came in the clear is shown.
            let texts = Set(grace.texts(with: alan.address))
            XCTAssertEqual(texts, ["hello", "the end", "still there?", ""])
            grace.send("and the other way", to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address).contains("and the other way") }
        }
    }

    func testRepeatedMessageIsShownOnce() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            let raw = try RawDesk(alan.account)
            alan.send("once", to: grace.address)
            waitUntil("it has come") { grace.has(["once"], of: alan.address) }
            let stanza = try XCTUnwrap(alan.sent.last { $0.contains("<payload") })
            let element = try XMLElementTests.read(stanza)
            for _ in 0..<100 { raw.fixture.client.send(element) }
            alan.send("after", to: grace.address)
            waitUntil("it has come") { grace.texts(with: alan.address).last == "after" }
            XCTAssertEqual(grace.texts(with: alan.address), ["once", "after"])
        }
    }

    func testDeviceWithAnotherKeyIsRefused() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("one", to: alan.address)
            waitUntil("it has come") { alan.has(["one"], of: grace.address) }
            // Somebody who can write to the server puts keys of their own in the place of alan’s.
            let device = try awaited { try await alan.program.store.ownKeys(at: alan.wallNow).device }
            let charles = try EncryptedDesk("charles")
            let false_ = try awaited { try await charles.program.store.ownKeys(at: charles.wallNow).bundle }
            let raw = try RawDesk(alan.account)
            let client = raw.fixture.client
            try awaited {
                try await client.publishOpenly(OMEMO.element(of: false_), in: OMEMO.bundle(of: device))
            }
            try awaited { try await grace.program.store.dropSessions(with: alan.address) }
            grace.send("two", to: alan.address)
            waitUntil("it waits") { grace.chat.encryption(of: alan.address).obstacle != nil }
            XCTAssertEqual(grace.messages(with: alan.address).last?.state, .waiting)
            let keys = try awaited { try await grace.program.store.devices(of: alan.address) }
            XCTAssertNotEqual(keys.first?.key, Array(false_.identityKey.dropFirst()))
        }
    }

    func testListsInTheNameOfOthersCountForNothing() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("one", to: alan.address)
            waitUntil("it has come") { alan.has(["one"], of: grace.address) }
            let charles = try RawDesk(try account("charles"))
            let item = XMLElement(
                "item", PubSub.events, ["id": "current"], [OMEMO.list([666])])
            let event = XMLElement(
                "event", PubSub.events, [:],
                [XMLElement("items", PubSub.events, ["node": OMEMO.devices], [item])])
            charles.fixture.client.send(
                Message(.headline, to: grace.account.jid.bare, id: "forged", extensions: [event]).element)
            charles.send("after it", to: grace.address)
            waitUntil("it has come") { grace.texts(with: charles.fixture.address) == ["after it"] }
            for owner in [alan.address, charles.fixture.address] {
                let devices = try awaited { try await grace.program.store.devices(of: owner) }
                XCTAssertFalse(devices.contains { $0.address.device == 666 })
            }
        }
    }

    /// Encrypted parts that nobody can open, for a device; some have no text.
    private static let broken: [@Sendable (UInt32, Int) -> String] = {
        let vector = "<iv>\(Base64.encode([UInt8](repeating: 1, count: 12)))</iv>"
        @Sendable func key(_ count: Int) -> String { Base64.encode([UInt8](repeating: 51, count: count)) }
        let thousand = (1...1000).map { "<key rid='\($0)' prekey='true'>AAAA</key>" }.joined()
        return [
            { own, _ in
                "<header sid='5'><key rid='\(own)'>\(key(60))</key>\(vector)</header><payload>AAAA</payload>"
            },
            { own, _ in
                "<header sid='6'><key rid='\(own)' prekey='true'>\(key(200))</key>\(vector)</header><payload>AAAA</payload>"
            },
            { _, _ in "<header sid='7'>\(thousand)\(vector)</header><payload>AAAA</payload>" },
            { own, _ in "<header sid='8'><key rid='\(own)'>\(key(60))</key></header><payload>AAAA</payload>"
            },
            { own, _ in "<header sid='0'><key rid='\(own)'/>\(vector)</header><payload>?</payload>" },
            { own, index in
                "<header sid='\(index + 1)'><key rid='\(own)' prekey='1'>MwgG</key>\(vector)</header><payload/>"
            },
            { own, _ in "<header sid='9'><key rid='\(own)' prekey='true'>\(key(300))</key>\(vector)</header>"
            },
            { _, _ in "" },
        ]
    }()
}

extension RawDesk {
    /// Sends an encrypted part with a text in the clear beside it.
    fileprivate func sendRaw(_ parts: String, to buddy: ChatAddress, id: Int) {
        let text =
            "<message xmlns='jabber:client' to='\(buddy.text)' type='chat' id='broken-\(id)-0000000000'>"
            + "<body>shown to nobody</body><encrypted xmlns='\(OMEMO.namespace)'>\(parts)</encrypted></message>"
        guard let element = try? XMLElementTests.read(text) else { return XCTFail("no element") }
        fixture.client.send(element)
    }
}
