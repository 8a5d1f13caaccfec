// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import CXTest
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// A web address that offers what a test says.
@MainActor
final class FakeSetupSource: AccountSetupSource {
    var answer: Result<AccountSetup, AccountSetupError> = .failure(.notASetup)
    /// The addresses that were asked.
    private(set) var asked: [String] = []
    /// Whether answers wait until this is false again.
    var isSlow = false {
        didSet {
            guard !isSlow else { return }
            for waiting in waiting { waiting.resume() }
            waiting = []
        }
    }
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func host(of address: String) -> String? {
        address.hasPrefix("https://")
            ? address.dropFirst(8).split(separator: "/").first.map(String.init) : nil
    }

    func setup(at address: String) async throws(AccountSetupError) -> AccountSetup {
        asked.append(address)
        if isSlow { await withCheckedContinuation { waiting.append($0) } }
        return try answer.get()
    }
}

/// Tests of setting accounts up from a web address or the picture of its code.
final class AccountSetupPageTests: GtkTestCase {
    private static let address = "https://pbx.example.org/setup?token=1"

    private static var sip: TelephoneSetup {
        var setup = TelephoneSetup(address: "sip:ada@example.org")
        (setup.password, setup.server, setup.transport) = ("very secret", "pbx.example.org", "udp")
        return setup
    }

    private static var jabber: JabberSetup {
        var setup = JabberSetup(AccountDetails(address: "ada@chat.example.org"))
        (setup.password, setup.label) = ("other secret", "Work")
        return setup
    }

    func testAccountsAreShownAndSavedOnlyWhenChosen() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.source.answer = .success(
                AccountSetup(name: "Example Ltd", accounts: [.sip(Self.sip), .jabber(Self.jabber)]))
            desk.fixture.fill("Web Address", Self.address)
            XCTAssertEqual(desk.source.asked, [], "nobody has asked yet")
            desk.fixture.press("Get Accounts")
            waitUntil("the accounts are shown") { desk.fixture.row("ada@example.org") != nil }
            XCTAssertEqual(desk.source.asked, [Self.address])
            let filled = ["Get Accounts", "Add 2 Accounts"].filter {
                desk.button($0).map { Self.hasStyle($0, "suggested-action") } == true
            }
            XCTAssertEqual(filled, ["Add 2 Accounts"], "one key is the next step")
            XCTAssertEqual(
                desk.fixture.subtitle("ada@example.org"),
                "SIP account, server pbx.example.org, connection not encrypted, with its password")
            XCTAssertEqual(desk.fixture.subtitle("ada@chat.example.org"), "Jabber account, with its password")
            XCTAssert(
                desk.fixture.labels.contains(
                    "Accounts from pbx.example.org, which calls itself “Example Ltd”. Nothing is saved yet."))
            XCTAssertFalse(desk.fixture.labels.contains { $0.contains("secret") }, "no password is shown")
            XCTAssertEqual(desk.telephone.setups, [])
            XCTAssertFalse(desk.jabber.first.details.isAccount)
            // Only one is wanted.
            desk.toggle("ada@chat.example.org")
            desk.fixture.press("Add 1 Account")
            XCTAssertEqual(desk.telephone.setups, [Self.sip])
            XCTAssertFalse(desk.jabber.first.details.isAccount)
            waitUntil("the page is closed") { desk.button("Get Accounts") == nil }
            desk.end()
        }
    }

    @MainActor
    private static func hasStyle(_ widget: Widget, _ name: String) -> Bool {
        gtk_style_context_has_class(gtk_widget_get_style_context(widget), name) != 0
    }

    /// The page names the host that has answered: anybody can make an address that a known host leads on to theirs.
    func testHostThatAnsweredIsNamed() throws {
        try onMainActor {
            let desk = try SetupDesk()
            var setup = AccountSetup(accounts: [.jabber(Self.jabber)])
            setup.host = "mallory.example"
            desk.source.answer = .success(setup)
            desk.get(Self.address, showing: "ada@chat.example.org")
            XCTAssert(desk.fixture.labels.contains("Accounts from mallory.example. Nothing is saved yet."))
            desk.end()
        }
    }

    func testJabberAccountSignsInWithItsLabel() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.source.answer = .success(AccountSetup(accounts: [.jabber(Self.jabber)]))
            desk.get(Self.address, showing: "ada@chat.example.org")
            desk.fixture.press("Add 1 Account")
            XCTAssertEqual(desk.jabber.first.details.address, "ada@chat.example.org")
            XCTAssertEqual(desk.jabber.first.label, "Work")
            waitUntil("the page is closed") { desk.button("Get Accounts") == nil }
            // Now it exists.
            desk.fixture.activate("Set Up Accounts…")
            desk.get(Self.address, showing: "ada@chat.example.org")
            XCTAssertEqual(desk.fixture.subtitle("ada@chat.example.org"), SIPAccountStrings.text(.exists))
            XCTAssertFalse(try desk.fixture.isSensitive("Add 0 Accounts"))
            desk.end()
        }
    }

    func testPasswordIsKeptBeforeServerIsReached() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.source.answer = .success(AccountSetup(accounts: [.jabber(Self.jabber)]))
            desk.get(Self.address, showing: "ada@chat.example.org")
            desk.fixture.press("Add 1 Account")
            XCTAssertEqual(desk.jabber.first.state, .connecting)
            waitUntil("the keyring has it") {
                desk.first.passwords.stored == ["ada@chat.example.org": "other secret"]
            }
            desk.end()
        }
    }

    func testAddressThatNobodyCanSignInWithIsNotOffered() throws {
        try onMainActor {
            let desk = try SetupDesk()
            let wrong = JabberSetup(AccountDetails(address: "ada lovelace@chat.example.org"))
            desk.source.answer = .success(AccountSetup(accounts: [.jabber(wrong)]))
            desk.get(Self.address, showing: "ada lovelace@chat.example.org")
            XCTAssertEqual(
                desk.fixture.subtitle("ada lovelace@chat.example.org"), AccountStrings.text(.address))
            XCTAssertFalse(try desk.fixture.isSensitive("Add 0 Accounts"))
            desk.end()
        }
    }

    func testNothingIsSavedWhenUserSaysNo() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.source.answer = .success(AccountSetup(accounts: [.sip(Self.sip), .jabber(Self.jabber)]))
            desk.get(Self.address, showing: "ada@example.org")
            desk.goBack()
            waitUntil("the page is closed") {
                desk.shown("ada@example.org") == nil && desk.shown("ada@chat.example.org") == nil
            }
            desk.fixture.activate("Set Up Accounts…")
            desk.get(Self.address, showing: "ada@example.org")
            // Another address takes the offers of the first away.
            desk.fixture.fill("Web Address", "https://other.example.org/")
            XCTAssertNil(desk.shown("ada@example.org"))
            XCTAssertNil(desk.button("Add 2 Accounts"))
            desk.end()
            XCTAssertEqual(desk.telephone.setups, [])
            XCTAssertFalse(desk.jabber.first.details.isAccount)
        }
    }

    func testProblemsAreSaid() throws {
        try onMainActor {
            let desk = try SetupDesk()
            for (error, text) in [
                (.notASetup, "There are no accounts for Touchtone at this address. Check the address."),
                (.unusable(number: 2), "Account 2 at this address can’t be used. Ask who gave it to you."),
                (
                    .transfer(.untrustedCertificate),
                    "The certificate of this server is not trusted. Nothing was read from there."
                ),
                (
                    .transfer(.refused(status: 410)),
                    "The server refused (error 410). The address may have been used or may be too old."
                ),
                (
                    .transfer(.unreachable),
                    "The server can’t be reached. Check the address and your connection."
                ),
            ] as [(AccountSetupError, String)] {
                desk.source.answer = .failure(error)
                desk.fixture.fill("Web Address", Self.address)
                desk.fixture.press("Get Accounts")
                waitUntil("it is said: \(text)") { desk.fixture.labels.contains(text) }
            }
            desk.fixture.fill("Web Address", "http://pbx.example.org/")
            desk.fixture.press("Get Accounts")
            XCTAssert(desk.fixture.labels.contains("This is not a web address that begins with https://."))
            XCTAssertEqual(desk.source.asked.count, 5)
            desk.fixture.fill("Web Address", " ")
            XCTAssertFalse(try desk.fixture.isSensitive("Get Accounts"))
            desk.end()
        }
    }

    func testLateAnswerIsForgotten() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.source.answer = .success(AccountSetup(accounts: [.sip(Self.sip)]))
            desk.source.isSlow = true
            desk.fixture.fill("Web Address", Self.address)
            desk.fixture.press("Get Accounts")
            waitUntil("it is asked") { desk.source.asked.count == 1 }
            XCTAssertFalse(try desk.fixture.isSensitive("Get Accounts"))
            desk.fixture.fill("Web Address", "https://other.example.org/")
            desk.source.isSlow = false
            for _ in 1...10 { handleEvents() }
            XCTAssertNil(desk.shown("ada@example.org"))
            desk.end()
        }
    }

    func testCodeInPictureGivesAddressWithoutAskingIt() throws {
        try onMainActor {
            let desk = try SetupDesk()
            for (text, said) in [
                (
                    Self.address,
                    "The code has an address of pbx.example.org. Check it, then get its accounts."
                ),
                (
                    "sip:ada@example.org",
                    "The QR code in this picture is not a web address that begins with https://."
                ),
                (
                    "http://pbx.example.org/",
                    "The QR code in this picture is not a web address that begins with https://."
                ),
            ] {
                desk.fixture.files.answer = FileDialog.Answer(uri: "file://\(try QRPictures.write(text))")
                desk.fixture.press("Choose Picture…")
                waitUntil("it is read: \(said)") { desk.fixture.labels.contains(said) }
                XCTAssertEqual(desk.fixture.text("Web Address"), text == Self.address ? text : "")
            }
            desk.fixture.files.answer = FileDialog.Answer(uri: "file://\(Checkout.folder)/README.md")
            desk.fixture.press("Choose Picture…")
            waitUntil("it is no picture") {
                desk.fixture.labels.contains("This file isn’t a picture that Touchtone can use.")
            }
            XCTAssertEqual(desk.source.asked, [])
            desk.end()
        }
    }

    func testAddressOfAnotherProgramIsOnlyShown() throws {
        try onMainActor {
            let desk = try SetupDesk()
            desk.fixture.preferences.setUpAccounts(at: Self.address, over: nil)
            waitUntil("it is shown") { desk.fixture.text("Web Address") == Self.address }
            for _ in 1...10 { handleEvents() }
            XCTAssertEqual(desk.source.asked, [])
            desk.fixture.preferences.setUpAccounts(at: "https://a\n\u{202e}b", over: nil)
            XCTAssertEqual(desk.fixture.text("Web Address"), "https://a b")
            desk.end()
        }
    }
}

/// Preferences with the page that sets accounts up, and nothing else.
@MainActor
private final class SetupDesk {
    let source = FakeSetupSource()
    let telephone = FakeTelephone()
    let jabber: JabberAccounts
    let first: FakeAccount
    let fixture: PreferencesFixture
    private let list: AccountListFixture

    init() throws {
        list = try AccountListFixture()
        list.start()
        let chat = Chat(
            store: MemoryMessageStore(), services: [FakeChatService()], clock: MainLoopScheduler(),
            wall: FixedWallClock(), names: { "" })
        first = FakeAccount(list.settings, list: list.list)
        jabber = JabberAccounts(
            try XCTUnwrap(list.list), first: first.model,
            messenger: Messenger(chat)
        ) { FakeOther($0, $1).other }
        fixture = try PreferencesFixture(page: .lines, telephone: telephone, setup: source, jabber: jabber)
        fixture.activate("Set Up Accounts…")
    }

    /// Returns the row with a title if it is shown.
    func shown(_ title: String) -> Widget? {
        fixture.row(title).flatMap { gtk_widget_get_mapped($0) != 0 ? $0 : nil }
    }

    /// Presses Back on the page; Preferences have another one.
    func goBack() {
        let back = descendants(of: fixture.widget).last {
            cgtk_instance_is_a($0, gtk_button_get_type()) != 0 && accessibleName(of: $0) == "Back"
                && gtk_widget_get_mapped($0) != 0
        }
        guard let back else { return XCTFail("there is no way back") }
        gtk_button_clicked(back.cast())
        handleEvents()
    }

    func button(_ label: String) -> Widget? { fixture.button(label) }

    func toggle(_ account: String) {
        guard let choice = fixture.control(account, type: gtk_check_button_get_type()) else {
            return XCTFail("no \(account)")
        }
        gtk_toggle_button_set_active(choice.cast(), 0)
    }

    /// Asks an address, and waits for an account.
    func get(_ address: String, showing account: String) {
        fixture.fill("Web Address", address)
        fixture.press("Get Accounts")
        waitUntil("\(account) is shown") { self.shown(account) != nil }
    }

    func end() {
        fixture.clear()
        handleEvents()
    }
}
