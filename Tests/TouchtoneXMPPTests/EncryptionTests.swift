// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import TestSupport
import TouchtoneCore
import TouchtoneStore
import XCTest

@testable import TouchtoneXMPP

/// Tests of encrypted conversations on an independent server.
final class EncryptionTests: XMPPTestCase {
    func testConversationIsEncryptedBothWays() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("the first secret", to: alan.address)
            waitUntil("it has come") { alan.has(["the first secret"], of: grace.address) }
            XCTAssertTrue(grace.chat.isEncrypted(alan.address))
            let mine = grace.messages(with: alan.address)
            XCTAssertEqual(mine.map(\.content.protection), [.encrypted(.blind)])
            XCTAssertEqual(mine.map(\.content.device), [MessageContent.thisDevice])
            alan.send("an answer in secret", to: grace.address)
            waitUntil("the answer has come") { grace.has(["an answer in secret"], of: alan.address) }
            for number in 1...5 {
                grace.send("secret \(number)", to: alan.address)
                alan.send("secret \(number)", to: grace.address)
            }
            let five = (1...5).map { "secret \($0)" }
            waitUntil("all have come") {
                alan.has(["the first secret"] + five, of: grace.address)
                    && grace.has(["an answer in secret"] + five, of: alan.address)
            }
            for (desk, other) in [(grace, alan), (alan, grace)] {
                let theirs = desk.messages(with: other.address).filter { $0.sender == .buddy }
                let devices = Set(theirs.map(\.content.device))
                XCTAssert(devices.count == 1 && devices.allSatisfy { $0 ?? 0 > 0 }, "\(devices)")
                XCTAssertEqual(desk.sent.filter { $0.contains("secret") }, [])
                XCTAssertEqual(desk.sent.filter { $0.contains("urn:xmpp:eme:0") }.count, 6)
            }
        }
    }

    func testConversationStaysEncryptedAfterRestartAndPlainMessages() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("first", to: alan.address)
            waitUntil("it has come") { alan.has(["first"], of: grace.address) }
            // Another program of alan's does not encrypt.
            let plain = try RawDesk(alan.account)
            plain.send("in the clear", to: grace.address)
            waitUntil("it is marked") {
                grace.messages(with: alan.address).last?.content.protection == .exposed
            }
            grace.restart()
            grace.send("after the restart", to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address).last == "after the restart" }
            XCTAssertEqual(alan.messages(with: grace.address).last?.content.protection, .encrypted(.blind))
            XCTAssertEqual(grace.sent.filter { $0.contains("after the restart") }, [])
        }
    }

    func testOwnOtherDeviceReadsBothSides() throws {
        try onMainActor {
            let (desk, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            let mobile = try EncryptedDesk("grace", account: desk.account)
            desk.send("to both", to: alan.address)
            waitUntil("the buddy has it") { alan.has(["to both"], of: desk.address) }
            waitUntil("the other device has it") { mobile.texts(with: alan.address) == ["to both"] }
            XCTAssertEqual(
                mobile.messages(with: alan.address).map(\.content.protection), [.encrypted(.blind)])
            alan.send("for both", to: desk.address)
            waitUntil("both have the answer") {
                [desk, mobile].allSatisfy { $0.texts(with: alan.address) == ["to both", "for both"] }
            }
            let devices = mobile.messages(with: alan.address).compactMap(\.content.device)
            XCTAssert(devices.count == 2 && devices[0] != devices[1] && !devices.contains(0), "\(devices)")
            XCTAssertEqual(desk.sent.filter { $0.contains("to both") }, [])
        }
    }

    func testMissedMessagesAreReadInOrderAndOnce() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("before", to: alan.address)
            waitUntil("it has come") { alan.has(["before"], of: grace.address) }
            alan.cut()
            alan.program.session.signOut()
            let missed = (1...40).map { "missed \($0)" }
            for text in missed { grace.send(text, to: alan.address) }
            waitUntil("the server has them") {
                grace.messages(with: alan.address).allSatisfy { $0.state != .waiting }
            }
            alan.restart()
            waitUntil("they are there") { alan.has(["before"] + missed, of: grace.address) }
            alan.restart()
            XCTAssertTrue(alan.has(["before"] + missed, of: grace.address))
        }
    }

    /// A session looks 2,000 messages ahead, and an archive is read newest first.
    func testManyMissedMessagesAreReadAlthoughNewestComeFirst() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("before", to: alan.address)
            waitUntil("it has come") { alan.has(["before"], of: grace.address) }
            alan.program.session.signOut()
            let missed = (1...TestLength.cases(60, long: 2300)).map { "missed \($0)" }
            for text in missed { grace.send(text, to: alan.address) }
            waitUntil("the server has them", seconds: 300) {
                grace.messages(with: alan.address).allSatisfy { $0.state != .waiting }
            }
            alan.restart()
            waitUntil("they are there", seconds: 300) {
                alan.tidy()
                return alan.has(["before"] + missed, of: grace.address)
            }
        }
    }

    func testBuddyWithoutKeysGetsPlainTextUntilItHasKeys() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan", encrypts: false))
            grace.send("in the clear", to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address) == ["in the clear"] }
            XCTAssertFalse(grace.chat.isEncrypted(alan.address))
            // What must be encrypted waits.
            grace.chat.setEncrypted(true, alan.address)
            grace.send("kept back", to: alan.address)
            waitUntil("the reason is told") {
                grace.chat.encryption(of: alan.address).obstacle == .noDevices(alan.address)
            }
            XCTAssertEqual(grace.messages(with: alan.address).last?.state, .waiting)
            alan.encryption.isAutomatic = true
            alan.encryption.start()
            waitUntil("alan has keys") { alan.encryption.publisher.isAccepted == true }
            grace.encryption.devices.begin()
            grace.chat.retryEncryption(alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address) == ["in the clear", "kept back"] }
            XCTAssertNil(grace.chat.encryption(of: alan.address).obstacle)
            XCTAssertEqual(grace.sent.filter { $0.contains("kept back") }, [])
        }
    }

    func testNothingIsInTheWayAnyMoreAfterNextSignIn() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan", encrypts: false))
            grace.chat.setEncrypted(true, alan.address)
            grace.send("kept back", to: alan.address)
            waitUntil("the reason is told") { grace.chat.encryption(of: alan.address).obstacle != nil }
            grace.program.session.signOut()
            alan.encryption.isAutomatic = true
            alan.encryption.start()
            waitUntil("alan has keys") { alan.encryption.publisher.isAccepted == true }
            grace.program.session.signIn()
            waitUntil("it has come") { alan.texts(with: grace.address) == ["kept back"] }
            XCTAssertNil(grace.chat.encryption(of: alan.address).obstacle)
        }
    }

    func testStrangerGetsNoAnswerThatTellsWhetherUserIsOnline() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            alan.send("are you there?", to: grace.address)
            waitUntil("it has come") { grace.has(["are you there?"], of: alan.address) }
            let before = grace.sent.count
            grace.tidy()
            waitUntil("new keys are published") {
                grace.sent.dropFirst(before).contains { $0.contains("<bundle") }
            }
            XCTAssertEqual(
                grace.sent.filter { $0.contains("<message") && $0.contains(alan.address.text) }, [])
            // An answer of the user’s tells it.
            grace.send("yes", to: alan.address)
            waitUntil("it has come") { alan.has(["yes"], of: grace.address) }
        }
    }

    func testConversationIsEncryptedByChoiceWithoutThePreference() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace", encrypts: false), try EncryptedDesk("alan"))
            grace.send("in the clear", to: alan.address)
            waitUntil("it has come") {
                alan.texts(with: grace.address) == ["in the clear"]
                    && grace.messages(with: alan.address).last?.state != .waiting
            }
            grace.chat.setEncrypted(true, alan.address)
            grace.send("by choice", to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address).last == "by choice" }
            waitUntil("grace has published keys") { grace.encryption.publisher.isAccepted == true }
            alan.encryption.devices.begin()
            alan.send("an answer", to: grace.address)
            waitUntil("it has come") { grace.texts(with: alan.address).last == "an answer" }
            XCTAssertEqual(
                grace.messages(with: alan.address).map(\.content.protection),
                [.none, .encrypted(.blind), .encrypted(.blind)])
        }
    }

    func testKeysInANodeForFewAreOpened() throws {
        try onMainActor {
            // Another program has made the node for those who see the presence, or for nobody.
            let account = try account("grace")
            let client = try RawDesk(account).fixture.client
            try awaited {
                try await client.publishPrivately(OMEMO.list([]), id: "current", in: OMEMO.devices)
            }
            let (grace, alan) = (try EncryptedDesk("grace", account: account), try EncryptedDesk("alan"))
            alan.send("found you", to: grace.address)
            waitUntil("it has come") { grace.has(["found you"], of: alan.address) }
        }
    }

    func testOlderCopyOfTheStoreBecomesAnotherDevice() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("one", to: alan.address)
            waitUntil("it has come") { alan.has(["one"], of: grace.address) }
            alan.renewKeys()
            let before = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow).device }
            let copy = try grace.copyStore()
            // One of the published keys is used, and another one takes its place.
            alan.send("two", to: grace.address)
            let charles = try EncryptedDesk("charles")
            charles.send("hello", to: grace.address)
            waitUntil("they have come") {
                grace.has(["two"], of: alan.address) && grace.has(["hello"], of: charles.address)
            }
            let sent = grace.sent.count
            grace.tidy()
            waitUntil("new keys are published") {
                grace.sent.dropFirst(sent).contains { $0.contains("<bundle") }
            }
            let node = OMEMO.bundle(of: before)
            waitUntil("the server has them") {
                let items = try? awaited {
                    try await alan.program.client.published(node, by: grace.account.jid.bare)
                }
                return items.flatMap { OMEMO.bundle(in: $0) }?.preKeys.contains { $0.id > 100 } == true
            }
            try grace.restoreStore(from: copy)
            let after = try awaited { try await grace.program.store.ownKeys(at: grace.wallNow).device }
            XCTAssertNotEqual(after, before)
            // What it writes can be read, although the sessions of the copy are old.
            grace.send("three", to: alan.address)
            waitUntil("it has come") { alan.texts(with: grace.address).last == "three" }
            XCTAssertEqual(alan.messages(with: grace.address).last?.content.protection, .encrypted(.blind))
        }
    }

    func testBrokenSessionHeals() throws {
        try onMainActor {
            let (grace, alan) = (try EncryptedDesk("grace"), try EncryptedDesk("alan"))
            grace.send("one", to: alan.address)
            waitUntil("it has come") { alan.has(["one"], of: grace.address) }
            alan.send("two", to: grace.address)
            waitUntil("it has come") { grace.has(["two"], of: alan.address) }
            // Alan's sessions are gone; grace does not know.
            try awaited { try await alan.program.store.dropSessions(with: grace.address) }
            grace.send("lost", to: alan.address)
            waitUntil("it is said that it cannot be read") {
                alan.messages(with: grace.address).last?.content.protection == .unreadable(.brokenSession)
            }
            alan.tidy()
            let before = grace.sent.count { $0.contains("<encrypted") }
            waitUntil("grace has a new session, and answers") {
                grace.tidy()
                return grace.sent.count { $0.contains("<encrypted") } > before
            }
            grace.send("found", to: alan.address)
            waitUntil("it can be read") { alan.texts(with: grace.address).last == "found" }
            XCTAssertEqual(alan.messages(with: grace.address).last?.content.protection, .encrypted(.blind))
        }
    }
}

/// A program that does not encrypt.
@MainActor
final class RawDesk {
    let fixture: XMPPAccountFixture

    init(_ account: XMPPAccount) throws {
        var account = account
        account.port = try TestServer.shared().port
        fixture = XMPPAccountFixture(account)
        let fixture = fixture
        waitUntil("it is ready") { fixture.readyCount == 1 }
    }

    func send(_ text: String, to buddy: ChatAddress) {
        fixture.send(text, to: buddy, name: "\(text)-raw-unique-id")
    }
}
