// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GtkBridge
import GtkTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneUI

/// Tests of the popover that makes an account, and of what follows from an invitation.
final class RegistrationPromptTests: GtkTestCase {
    private static let form = RegistrationForm(
        RoomForm(
            instructions: "Be kind.",
            fields: [
                RoomForm.Field("username", label: "User Name", .line("")),
                RoomForm.Field("password", label: "Password", .secret("")),
            ]), required: ["username", "password"])
    private static let link = "xmpp:grace@example.org?roster;preauth=token;ibr=y"

    func testInvitationLeadsToAccountAndInviter() throws {
        try onMainActor {
            let fixture = try RegistrationFixture()
            fixture.server.forms = [.success(Self.form)]
            fixture.server.answers = [.failure(RegistrationError("This name is taken.")), .success(())]
            try fixture.ask(Self.link)
            XCTAssert(
                fixture.labels(in: fixture.popovers.first).contains("grace@example.org invites you to chat."))
            XCTAssert(
                fixture.labels(in: fixture.popovers.first).contains("Your account will be on example.org."))
            // The same link, again and again, neither sends anything nor takes the form away.
            let popover = fixture.popovers.first
            for _ in 0..<20 { try fixture.ask(Self.link) }
            XCTAssert(fixture.popovers == [popover].compactMap { $0 } && fixture.server.requests.isEmpty)
            fixture.click(fixture.button("Continue"))
            waitUntil("the form is there") { fixture.find("User Name", ATK_ROLE_TEXT) != nil }
            XCTAssertEqual(
                fixture.server.requests, [RegistrationRequest(server: "example.org", token: "token")])
            fixture.settle()
            fixture.click(fixture.button("Create"))
            XCTAssert(fixture.labels(in: fixture.popovers.first).contains("Fill in “User Name”."))
            fixture.fill("User Name", "ada")
            fixture.fill("Password", "secret", ATK_ROLE_PASSWORD_TEXT)
            fixture.settle()
            fixture.click(fixture.button("Create"))
            waitUntil("it is refused") {
                fixture.labels(in: fixture.popovers.first).contains("This name is taken.")
            }
            fixture.settle()
            fixture.click(fixture.button("Create"))
            waitUntil("it signs in") {
                fixture.first.connection.signIns == ["connect ada@example.org secret"]
            }
            XCTAssertEqual(fixture.opened.map(\.buddy), [ChatAddress("grace@example.org")])
            XCTAssertEqual(fixture.service.takeCalls(), [], "it is not online yet")
            // The connection may break before the server has answered.
            fixture.service.error = .offline
            fixture.first.connection.become(.online)
            waitUntil("it is tried") { !fixture.service.calls.isEmpty }
            fixture.settle()
            _ = fixture.service.takeCalls()
            fixture.service.error = nil
            for state in [AccountState.waiting("x"), .online, .waiting("x"), .online] {
                fixture.first.connection.become(state)
            }
            waitUntil("the inviter is a buddy") { !fixture.service.calls.isEmpty }
            fixture.settle()
            XCTAssertEqual(fixture.failures, [])
            XCTAssertEqual(fixture.service.calls, [.accept(ChatAddress("grace@example.org"), token: "token")])
            XCTAssert(fixture.popovers.isEmpty)
            fixture.clear()
        }
    }

    func testCertificateIsTrustedOnlyByTheUser() throws {
        try onMainActor {
            let fixture = try RegistrationFixture()
            let report = CertificateReport(
                reason: "Its issuer is unknown.", fingerprint: String(repeating: "ab", count: 32),
                subject: "CN=x",
                issuer: "", expiry: "")
            fixture.server.forms = [
                .failure(RegistrationError(report.reason, certificate: report)), .success(Self.form),
            ]
            fixture.server.answers = [.success(())]
            try fixture.ask(nil)
            fixture.fill("Server", " example.org ")
            fixture.click(fixture.button("Continue"))
            waitUntil("the certificate is shown") { fixture.button("Trust This Certificate") != nil }
            let texts = fixture.labels(in: fixture.popovers.first)
            XCTAssert(
                texts.contains("Its issuer is unknown.") && texts.contains { $0.hasPrefix("AB:AB:") },
                "\(texts)")
            XCTAssertEqual(fixture.server.requests.map(\.trustedCertificate), [""])
            fixture.settle()
            fixture.click(fixture.button("Trust This Certificate"))
            waitUntil("the form is there") { fixture.find("User Name", ATK_ROLE_TEXT) != nil }
            XCTAssertEqual(fixture.server.requests.map(\.server), ["example.org", "example.org"])
            fixture.fill("User Name", "ada")
            fixture.fill("Password", "secret", ATK_ROLE_PASSWORD_TEXT)
            fixture.settle()
            fixture.click(fixture.button("Create"))
            waitUntil("it signs in with it") {
                fixture.first.connection.signIns == ["connect ada@example.org secret \(report.fingerprint)"]
            }
            XCTAssertEqual(fixture.opened, [], "nobody invited the user")
            fixture.clear()
        }
    }

    func testServerThatNeedsItsPageOffersIt() throws {
        try onMainActor {
            let fixture = try RegistrationFixture()
            let words = RoomForm(instructions: "Come to our page.", fields: [])
            for page in ["https://example.org/new", ""] {
                fixture.server.forms = [.success(RegistrationForm(words, page: page))]
                try fixture.ask("xmpp:example.org?register")
                fixture.settle()
                fixture.click(fixture.button("Continue"))
                waitUntil("it is said") {
                    fixture.labels(in: fixture.popovers.first).contains("Come to our page.")
                }
                XCTAssertEqual(fixture.button("Open Web Page") != nil, !page.isEmpty)
                XCTAssertNil(fixture.button("Create"))
                TransientPopover.cancel()
                fixture.settle()
            }
            // Closing the prompt ends the connection.
            waitUntil("both have ended") { fixture.server.ends == 2 }
            fixture.clear()
        }
    }

    func testTextsHaveRoom() throws {
        try onMainActor {
            try PseudoLocale.check { faults in
                let fixture = try RegistrationFixture()
                try fixture.ask(Self.link)
                fixture.settle()
                for popover in fixture.popovers { faults.look(at: popover) }
                TransientPopover.cancel()
                fixture.settle()
                fixture.clear()
            }
        }
    }

    func testNewAccountJoinsTheOthers() throws {
        try onMainActor {
            let fixture = try RegistrationFixture()
            try fixture.first.model.signIn(AccountDetails(address: "ada@example.com"), password: "x")
            let made = try XCTUnwrap(
                fixture.accounts.signIn(
                    RegisteredAccount(
                        details: AccountDetails(address: "ada@example.org"), password: "secret",
                        trustedCertificate: "")))
            waitUntil("it is in the list") {
                fixture.accounts.others.map(\.account.details.address) == ["ada@example.org"]
            }
            XCTAssert(made.account === fixture.accounts.others[0].account)
            XCTAssertEqual(fixture.first.model.details.address, "ada@example.com")
            fixture.clear()
        }
    }

    func testTokenGoesOnlyToTheInviter() throws {
        try onMainActor {
            let fixture = try MessagePanelFixture()
            let other = "edsger@example.org"
            for address in ["grace@example.org", other] {
                _ = fixture.service.takeCalls()
                fixture.panel.askToAdd("Grace@Example.org", name: "", invitation: "token")
                waitUntil("the form is open") { fixture.find("Address", ATK_ROLE_TEXT) != nil }
                if address == other {
                    gtk_entry_set_text(try XCTUnwrap(fixture.find("Address", ATK_ROLE_TEXT)).cast(), other)
                }
                fixture.settle()
                fixture.click(fixture.button("Add"))
                let call =
                    address == other
                    ? FakeChatService.Call.add(ChatAddress(address), "")
                    : .accept(ChatAddress(address), token: "token")
                waitUntil("it is added") { fixture.service.calls.contains(call) }
                waitUntil("the form is closed") { fixture.popovers.isEmpty }
            }
            fixture.clear()
        }
    }

    /// Another server than the inviter's must not learn the token.
    func testTokenIsOnlyForItsServer() throws {
        let server = { (link: String) throws in try XCTUnwrap(AccountInvitation(try XMPPURI(link))) }
        let both = try server(Self.link)
        XCTAssertEqual(
            [both.server, both.tokenForServer, both.tokenForInviter], ["example.org", "token", "token"])
        let person = try server("xmpp:grace@example.org?roster;preauth=t")
        XCTAssertEqual([person.server, person.tokenForServer, person.tokenForInviter], ["", "", "t"])
        let named = try server("xmpp:ada@example.org?register;preauth=t")
        XCTAssertEqual([named.server, named.name, named.inviter], ["example.org", "ada", ""])
        XCTAssertEqual([named.tokenForServer, named.tokenForInviter], ["t", ""])
        XCTAssertNil(AccountInvitation(try XMPPURI("xmpp:example.org?roster;preauth=t;ibr=y")))
        XCTAssertNil(AccountInvitation(try XMPPURI("xmpp:grace@example.org?roster;name=Grace")))
    }
}

/// A window with accounts that are made on a server controlled by the test.
@MainActor
private final class RegistrationFixture: WorkedIn {
    let widget: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
    let server = FakeServer()
    let service = FakeChatService()
    let first: FakeAccount
    let accounts: JabberAccounts
    private(set) var opened: [ConversationID] = []
    private(set) var failures: [ChatServiceError] = []
    private let list: AccountListFixture
    private let anchor = Widget.button("Here")
    private let style: Style
    private var new: NewAccount?

    init() throws {
        list = try AccountListFixture()
        list.start()
        first = FakeAccount(list.settings, list: try XCTUnwrap(list.list))
        let chat = Chat(
            store: MemoryMessageStore(), services: [service], clock: MainLoopScheduler(),
            wall: FixedWallClock(), names: { "" })
        service.tell(.state(.online))
        accounts = JabberAccounts(
            try XCTUnwrap(list.list), first: first.model, messenger: Messenger(chat),
            register: { [server] in FakeRegistration(server, $0) }
        ) { id, settings in FakeOther(id, settings).other }
        style = try Style(resources: list.resources)
        gtk_window_set_default_size(widget.cast(), 360, 560)
        gtk_widget_set_valign(anchor, GTK_ALIGN_START)
        gtk_container_add(widget.cast(), anchor)
        movePointerAway()
        gtk_widget_show_all(widget)
        gtk_test_widget_wait_for_draw(widget)
        focus()
    }

    func ask(_ link: String?) throws {
        let invitation = try link.flatMap { AccountInvitation(try XMPPURI($0)) }
        RegistrationPrompt.ask(accounts, invitation: invitation, at: anchor) { [weak self] made in
            self?.new = NewAccount(
                made, invitation: invitation, open: { self?.opened.append($0) },
                failed: { self?.failures.append($0) })
        }
        handleEvents()
    }

    func fill(_ name: String, _ text: String, _ role: AtkRole = ATK_ROLE_TEXT) {
        guard let entry = find(name, role) else { return XCTFail("no field \(name)") }
        gtk_entry_set_text(entry.cast(), text)
    }

    var popovers: [Widget] {
        descendants(of: widget).filter {
            cgtk_instance_is_a($0, gtk_popover_get_type()) != 0 && gtk_widget_get_mapped($0) != 0
        }
    }

    func settle() {
        handleEvents()
        gtk_test_widget_wait_for_draw(widget)
    }

    func clear() {
        gtk_widget_destroy(widget)
        handleEvents()
    }
}

/// The answers of a server, and the requests to it.
@MainActor
private final class FakeServer {
    var forms: [Result<RegistrationForm, RegistrationError>] = []
    var answers: [Result<Void, RegistrationError>] = []
    var requests: [RegistrationRequest] = []
    var ends = 0
}

@MainActor
private final class FakeRegistration: AccountRegistration {
    private let server: FakeServer
    private let request: RegistrationRequest

    init(_ server: FakeServer, _ request: RegistrationRequest) {
        (self.server, self.request) = (server, request)
    }

    func form() async throws(RegistrationError) -> RegistrationForm {
        server.requests.append(request)
        return try server.forms.removeFirst().get()
    }

    func register(_ form: RegistrationForm) async throws(RegistrationError) -> RegisteredAccount {
        try server.answers.removeFirst().get()
        return RegisteredAccount(
            details: AccountDetails(address: "\(form["username"] ?? "")@\(request.server)"),
            password: form["password"] ?? "", trustedCertificate: request.trustedCertificate)
    }

    func end() { server.ends += 1 }
}
