// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the Jabber accounts besides the first: which there are, and what becomes of their chats.
final class JabberAccountsTests: GtkTestCase {
    func testAccountsFollowTheList() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            XCTAssertEqual(fixture.ids, [])
            fixture.list(["home", "work", "account"])
            waitUntil("both others are there") { fixture.ids == ["work", "account"] }
            XCTAssertEqual(fixture.messenger.chats.count, 3)
            let work = try XCTUnwrap(fixture.made["work"])
            XCTAssertEqual(work.connection.details, nil, "nothing signs in before the start")
            fixture.list(["home", "account", "work"])
            waitUntil("the order changes") { fixture.ids == ["account", "work"] }
            XCTAssert(fixture.accounts.others[1].account === work.other.account, "it is the same account")
            fixture.list(["home"])
            waitUntil("they are gone") { fixture.ids == [] }
            XCTAssertEqual(fixture.messenger.chats.count, 1)
        }
    }

    func testAllAccountsSignInAndOut() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            try fixture.settings(of: "work")[text: "jid"] = "ada@example.com"
            fixture.list(["home", "work"])
            let work = try XCTUnwrap(fixture.made["work"])
            work.passwords.stored["ada@example.com"] = "secret"
            fixture.accounts.isActive = true
            fixture.accounts.start()
            waitUntil("it signs in") { work.connection.details?.address == "ada@example.com" }
            XCTAssert(work.connection.isActive)
            fixture.accounts.signOut()
            XCTAssertNil(work.connection.details)
        }
    }

    func testAccountJoinsOthersWithItsAddress() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            fixture.list(["home"])
            fixture.accounts.begin()
            let draft = try XCTUnwrap(fixture.accounts.draft)
            XCTAssertEqual(fixture.ids, [])
            XCTAssertEqual(fixture.messenger.chats.count, 1)
            try draft.account.signIn(AccountDetails(address: "ada@example.com"), password: "secret")
            waitUntil("it is in the list") { fixture.ids == [draft.id] }
            XCTAssertNil(fixture.accounts.draft)
            XCTAssert(fixture.accounts.others[0].account === draft.account)
            let made = try XCTUnwrap(fixture.made[draft.id])
            XCTAssertEqual(made.connection.details?.address, "ada@example.com")
            made.connection.become(.online)
            waitUntil("its password is kept") { made.passwords.stored["ada@example.com"] == "secret" }
            fixture.accounts.remove(fixture.accounts.others[0])
            waitUntil("it is gone") { fixture.ids == [] }
            XCTAssertEqual(try fixture.settings(of: draft.id)[text: "jid"], "")
            waitUntil("its password is gone") { made.passwords.stored.isEmpty }
        }
    }

    func testNextAccountTakesThePlaceOfTheFirst() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            try fixture.settings(of: "home")[text: "jid"] = "ada@example.org"
            try fixture.settings(of: "work")[text: "jid"] = "ada@example.com"
            fixture.list(["home", "work"])
            waitUntil("the first is there") { fixture.accounts.first.details.address == "ada@example.org" }
            fixture.accounts.removeFirst()
            waitUntil("the next one is the first") {
                fixture.accounts.first.details.address == "ada@example.com" && fixture.ids == []
            }
            XCTAssertEqual(try fixture.settings(of: "home")[text: "jid"], "")
            fixture.accounts.removeFirst()
            waitUntil("there is none") { !fixture.accounts.first.details.isAccount }
        }
    }

    func testAccountThatIsNotUsedStaysSignedOut() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            let (home, work) = (try fixture.settings(of: "home"), try fixture.settings(of: "work"))
            home[text: "jid"] = "ada@example.org"
            work[text: "jid"] = "ada@example.com"
            fixture.first.passwords.stored["ada@example.org"] = "secret"
            for settings in [home, work] { settings[flag: "enabled"] = false }
            fixture.list(["home", "work"])
            let made = try XCTUnwrap(fixture.made["work"])
            made.passwords.stored["ada@example.com"] = "secret"
            waitUntil("the first is there") { fixture.accounts.first.details.address == "ada@example.org" }
            fixture.accounts.start()
            handleEvents()
            XCTAssertEqual(fixture.accounts.first.state, .disabled)
            XCTAssertEqual(made.other.account.state, .disabled)
            XCTAssertEqual(fixture.first.connection.signIns + made.connection.signIns, [])
            home[flag: "enabled"] = true
            waitUntil("the first signs in") { fixture.first.connection.isConnected }
            made.other.account.isEnabled = true
            waitUntil("the other signs in") { made.connection.isConnected }
            XCTAssert(work[flag: "enabled"])
            fixture.accounts.first.isEnabled = false
            waitUntil("the first signs out") { !fixture.first.connection.isConnected }
            XCTAssertFalse(home[flag: "enabled"])
            // The next one is not switched off with it.
            fixture.accounts.removeFirst()
            waitUntil("the next one is the first") {
                fixture.accounts.first.details.address == "ada@example.com" && fixture.ids == []
            }
            XCTAssert(fixture.accounts.first.isEnabled)
            XCTAssert(home[flag: "enabled"], "nothing of the first is left")
        }
    }

    func testLabelNamesAccount() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            let (home, work) = (try fixture.settings(of: "home"), try fixture.settings(of: "work"))
            home[text: "jid"] = "ada@example.org"
            (work[text: "jid"], work[text: "label"]) = ("ada@example.com", "Work")
            fixture.list(["home", "work"])
            waitUntil("the first is there") { fixture.accounts.first.name == "ada@example.org" }
            XCTAssertEqual(fixture.accounts.others.map(\.account.name), ["Work"])
            home[text: "label"] = "Home"
            waitUntil("the first has its name") { fixture.accounts.first.name == "Home" }
            fixture.accounts.first.label = "House"
            XCTAssertEqual(home[text: "label"], "House")
            fixture.list(["work", "home"])
            waitUntil("the label follows its account") {
                fixture.accounts.first.name == "Work"
                    && fixture.accounts.others.map(\.account.name) == ["House"]
            }
        }
    }

    func testSignInMethodFollowsItsAccount() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            try fixture.settings(of: "home")[text: "jid"] = "ada@example.org"
            let work = try fixture.settings(of: "work")
            (work[text: "jid"], work[text: "sign-in-method"]) = (
                "ada@example.com", "ada@example.com SCRAM-SHA-512"
            )
            fixture.first.passwords.stored = ["ada@example.org": "secret", "ada@example.com": "secret"]
            fixture.list(["home", "work"])
            waitUntil("the first is there") { fixture.accounts.first.details.address == "ada@example.org" }
            fixture.accounts.start()
            waitUntil("the first signs in") { fixture.first.connection.isConnected }
            fixture.first.connection.signInMethod = "SCRAM-SHA-256"
            fixture.first.connection.become(.online)
            fixture.list(["work", "home"])
            waitUntil("the other is the first") {
                fixture.first.connection.signIns.last == "connect ada@example.com secret ≥ SCRAM-SHA-512"
            }
            XCTAssertEqual(
                try fixture.settings(of: "home")[text: "sign-in-method"], "ada@example.org SCRAM-SHA-256")
            fixture.accounts.removeFirst()
            waitUntil("the former first is the first again") {
                fixture.first.connection.signIns.last == "connect ada@example.org secret ≥ SCRAM-SHA-256"
            }
        }
    }

    func testBegunAccountHasNoSettingsOfAnother() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            fixture.list(["home"])
            try fixture.settings(of: "account")[text: "jid"] = "old@example.com"
            fixture.accounts.begin()
            XCTAssertEqual(fixture.accounts.draft?.account.details.address, "")
            XCTAssertEqual(fixture.ids, [], "nothing joins by itself")
        }
    }

    func testBegunAccountLeavesNothing() throws {
        try onMainActor {
            let fixture = try AccountsFixture()
            fixture.list(["home"])
            fixture.accounts.begin()
            fixture.accounts.cancel()
            XCTAssertNil(fixture.accounts.draft)
            XCTAssertEqual(fixture.ids, [])
        }
    }
}

/// A list of accounts in real settings, whose servers are controlled by the test.
@MainActor
private final class AccountsFixture {
    let accounts: JabberAccounts
    let messenger: Messenger
    let first: FakeAccount
    private let fixture: AccountListFixture
    private let stock = Made()

    @MainActor
    final class Made {
        var accounts: [String: FakeOther] = [:]
    }

    init() throws {
        let fixture = try AccountListFixture()
        self.fixture = fixture
        fixture.start()
        let chat = Chat(
            store: MemoryMessageStore(), services: [FakeChatService()], clock: MainLoopScheduler(),
            wall: FixedWallClock(), names: { "" })
        messenger = Messenger(chat)
        let list = try XCTUnwrap(fixture.list)
        first = FakeAccount(fixture.settings, list: list)
        accounts = JabberAccounts(
            list, first: first.model, messenger: messenger
        ) { [stock] id, settings in
            let new = FakeOther(id, settings)
            stock.accounts[id] = new
            return new.other
        }
    }

    /// The accounts that were made, by id.
    var made: [String: FakeOther] { stock.accounts }
    /// The ids of the accounts besides the first.
    var ids: [String] { accounts.others.map(\.id) }

    func settings(of id: String) throws -> Settings { try fixture.account(id) }

    func list(_ ids: [String]) { fixture.settings[list: "jabber-accounts"] = ids }
}
