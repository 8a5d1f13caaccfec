// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneStore
@testable import TouchtoneXMPP

/// Tests that accounts in one program, with one file of messages, do not affect each other.
final class SeveralAccountsTests: XMPPTestCase {
    func testSameBuddyHasConversationWithEachAccount() throws {
        try onMainActor {
            let phone = try SeveralAccounts()
            phone.goOnline()
            let alan = try fixture("alan")
            alan.send("to work", to: phone.work.address)
            alan.send("to home", to: phone.home.address)
            waitUntil("both have come") { phone.arrivals == [["to work"], ["to home"]] }
            // The names of both messages are the same.
            phone.work.chat.send("from work", to: alan.address)
            phone.home.chat.send("from home", to: alan.address)
            waitUntil("both are answered") { alan.came.count == 2 }
            XCTAssertEqual(
                Set(alan.came.map { [$0.buddy.text, $0.text] }),
                [[phone.work.address.text, "from work"], [phone.home.address.text, "from home"]])
            for (account, texts) in [
                (phone.work, ["to work", "from work"]), (phone.home, ["to home", "from home"]),
            ] {
                let messages = try account.messages(with: alan.address)
                XCTAssertEqual(messages.map(\.text), texts)
                XCTAssertEqual(
                    Set(messages.map(\.conversation)), [ConversationID(alan.address, of: account.address)])
                XCTAssertEqual(account.chat.buddies.row(of: alan.address)?.unread, 1)
                let found = try awaited { try await account.chat.search("from") }
                XCTAssertEqual(found.map(\.message.text), Array(texts.dropFirst()))
            }
            // Reading one is not reading the other.
            phone.work.chat.isInView = true
            phone.work.chat.select(alan.address)
            let conversation = try XCTUnwrap(phone.work.chat.selected)
            waitUntil("it is read") {
                if let last = conversation.window.last { conversation.seen(upTo: last) }
                return phone.work.chat.buddies.row(of: alan.address)?.unread == 0
            }
            XCTAssertEqual(phone.home.chat.buddies.row(of: alan.address)?.unread, 1)
            phone.end()
        }
    }

    func testConnectionOfOneAccountIsCutWhileOtherGoesOn() throws {
        try onMainActor {
            let phone = try SeveralAccounts()
            phone.goOnline()
            let alan = try fixture("alan")
            phone.work.cut()
            XCTAssertEqual(phone.home.chat.state, .online)
            phone.work.chat.send("waits", to: alan.address)
            phone.home.chat.send("is sent", to: alan.address)
            alan.send("missed at work", to: phone.work.address)
            alan.send("arrives at home", to: phone.home.address)
            waitUntil("the other goes on") {
                alan.texts == ["is sent"] && phone.home.arrivals == ["arrives at home"]
            }
            XCTAssertEqual(phone.work.arrivals, [])
            waitUntil("it returns") {
                phone.work.reconnect()
                return alan.texts == ["is sent", "waits"] && phone.work.arrivals == ["missed at work"]
            }
            XCTAssertEqual(alan.came.map(\.buddy), [phone.home.address, phone.work.address])
            XCTAssertEqual(phone.home.arrivals, ["arrives at home"])
            phone.end()
        }
    }

    func testWrongPasswordOfOneAccountDoesNotAffectOther() throws {
        try onMainActor {
            let phone = try SeveralAccounts(workPassword: "wrong")
            phone.home.service.signIn()
            phone.work.service.signIn()
            waitUntil("one is refused, the other is online") {
                if case .failed(.password) = phone.work.chat.state {
                    phone.home.chat.state == .online
                } else {
                    false
                }
            }
            let alan = try fixture("alan")
            alan.send("to home", to: phone.home.address)
            waitUntil("it has come") { phone.home.arrivals == ["to home"] }
            phone.work.chat.send("waits for the password", to: alan.address)
            phone.home.chat.send("from home", to: alan.address)
            waitUntil("it is answered") { alan.texts == ["from home"] }
            XCTAssertEqual(try phone.home.messages(with: alan.address).map(\.text), ["to home", "from home"])
            XCTAssertEqual(
                try phone.work.messages(with: alan.address).map(\.state), [.waiting], "nobody else sends it")
            phone.end()
        }
    }

    func testOneAccountIsRemovedWhileOtherGoesOn() throws {
        try onMainActor {
            let phone = try SeveralAccounts()
            phone.goOnline()
            let alan = try fixture("alan")
            for account in [phone.work, phone.home] {
                try awaited { try await account.service.rosterModule.add(alan.address, name: "Alan") }
                waitUntil("the buddy is there") { account.chat.buddies.row(of: alan.address) != nil }
                account.chat.send("hello", to: alan.address)
            }
            waitUntil("both are told") { alan.texts == ["hello", "hello"] }
            let before = phone.work.address
            phone.work.service.use("")
            XCTAssertNil(phone.work.chat.account)
            XCTAssertNil(phone.work.chat.buddies.row(of: alan.address))
            XCTAssertNotNil(phone.home.chat.buddies.row(of: alan.address))
            XCTAssertEqual(phone.home.chat.state, .online)
            alan.send("still there?", to: phone.home.address)
            waitUntil("the other goes on") { phone.home.arrivals == ["still there?"] }
            XCTAssertEqual(try phone.work.messages(with: alan.address), [])
            XCTAssertEqual(
                try phone.home.messages(with: alan.address).map(\.text), ["hello", "still there?"])
            // The removed account finds its own messages again.
            phone.work.service.use(before.text)
            XCTAssertEqual(try phone.work.messages(with: alan.address).map(\.text), ["hello"])
            phone.end()
        }
    }
}

/// Two accounts of one program.
@MainActor
private final class SeveralAccounts {
    let work: AccountInProgram
    let home: AccountInProgram
    private let folder: String

    init(workPassword: String = "secret") throws {
        folder = try TemporaryFolders.make("touchtone-accounts")
        let store = SQLiteStore(folders: UserFolders(home: folder) { _ in nil }, busyTimeout: 5000)
        work = try AccountInProgram("work", workPassword, SQLiteStore(sharingFileOf: store))
        home = try AccountInProgram("home", "secret", SQLiteStore(sharingFileOf: store))
    }

    /// The texts that have come, for each account.
    var arrivals: [[String]] { [work.arrivals, home.arrivals] }

    func goOnline() {
        for account in [work, home] { account.service.signIn() }
        waitUntil("both are online") { [work, home].allSatisfy { $0.service.context.isReady } }
    }

    func end() {
        for account in [work, home] { account.service.signOut() }
    }
}

/// An account behind a relay, with its conversations.
@MainActor
private final class AccountInProgram {
    let address: ChatAddress
    let service: XMPPAccountSession
    let chat: Chat
    private(set) var arrivals: [String] = []
    private let store: SQLiteStore
    private let relay: Relay

    init(_ name: String, _ password: String, _ store: SQLiteStore) throws {
        relay = try Relay(to: try TestServer.shared().port)
        var account = try TouchtoneXMPPTests.account(name)
        (account.port, account.password) = (relay.port, password)
        address = ChatAddress(account.jid.bare)
        self.store = store
        let (clock, wall, names) = (ManualScheduler(), FixedWallClock(4_000_000_000_000), CountedNames())
        let client = XMPPClient(account: account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
        service = XMPPAccountSession(client: client, store: store, clock: clock, wall: wall)
        chat = Chat(
            store: store, account: address, services: [service], clock: clock, wall: wall, names: names.next)
        service.whenKept = { [weak chat] completion in chat?.whenKept(completion) }
        chat.observe(by: self) { [weak self] in
            if case .arrival(let message, _) = $0 { self?.arrivals.append(message.text) }
        }
    }

    /// Returns the stored messages of a conversation.
    func messages(with buddy: ChatAddress) throws -> [ChatMessage] {
        try awaited { [store] in try await store.messages(of: buddy, before: nil, count: .max) }
    }

    /// Breaks the connection.
    func cut() {
        relay.breakConnections()
        waitUntil("the connection is lost") { chat.state != .online }
    }

    /// Reconnects at once, as if the network returned.
    func reconnect() { if case .waiting = service.state { service.wakeUp() } }
}
