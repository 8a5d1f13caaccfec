// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import TestSupport
import TouchtoneCore
import TouchtoneXMPP
import XCTest

/// The account between `Chat` and what signs it in, against Prosody.
final class JabberServiceTests: XMPPTestCase {
    func testNothingIsThereBeforeTheFirstSignIn() throws {
        try onMainActor {
            var made = 0
            let desk = JabberDesk { made += 1 }
            desk.service.setPresence(OwnPresence(.away))
            desk.service.setPresence(OwnPresence(.online))
            desk.service.wakeUp()
            desk.service.disconnect()
            XCTAssertEqual(made, 0)
            XCTAssertEqual(desk.service.state, .off)
            XCTAssertTrue(desk.service.isSettled)
            XCTAssertThrowsError(
                try awaited {
                    try await desk.service.add(ChatAddress("alan@localhost"), name: "")
                }
            ) { XCTAssertEqual($0 as? ChatServiceError, .offline) }
        }
    }

    func testAnAccountComesAndGoes() throws {
        try onMainActor {
            let desk = JabberDesk()
            try desk.connect(try desk.details("grace"))
            waitUntil("it is online") { desk.service.state == .online }
            desk.service.setPresence(OwnPresence(.offline))
            XCTAssertEqual(desk.service.state, .off)
            waitUntil("the stream is ended in good order") { desk.service.isSettled }
            desk.service.setPresence(OwnPresence(.online))
            waitUntil("it is online again") { desk.service.state == .online }
            desk.service.disconnect()
            XCTAssertEqual(desk.service.state, .off)
            desk.service.setPresence(OwnPresence(.away))
            desk.service.setPresence(OwnPresence(.online))
            XCTAssertEqual(desk.service.state, .off, "presence signs in who has signed out")
            waitUntil("the stream is ended in good order") { desk.service.isSettled }
        }
    }

    func testAWrongPasswordIsOne() throws {
        try onMainActor {
            let desk = JabberDesk()
            let details = try desk.details("grace")
            try desk.connect(details, password: "wrong")
            waitUntil("it is refused") { desk.problem != nil }
            guard case .password(let why)? = desk.problem else { return XCTFail("\(desk.service.state)") }
            XCTAssertTrue(why.contains("password is wrong"), why)
            try desk.connect(details)
            waitUntil("it is online") { desk.service.state == .online }
            desk.service.disconnect()
        }
    }

    func testARefusedPasswordIsNotTriedAgainBeforeItIsEdited() throws {
        try onMainActor {
            let desk = JabberDesk()
            let details = try desk.details("grace")
            try desk.connect(details, password: "wrong")
            waitUntil("it is refused") { desk.problem != nil }
            let refusal = desk.problem
            desk.service.setPresence(OwnPresence(.offline))
            XCTAssertEqual(desk.service.state, .off)
            desk.events = []
            desk.service.setPresence(OwnPresence(.online))
            XCTAssertEqual(desk.problem, refusal, "it is said at once, without asking the server")
            XCTAssertFalse(
                desk.events.contains { if case .state(.connecting) = $0 { true } else { false } })
            // Who types the same again means it.
            try desk.connect(details, password: "wrong")
            XCTAssertEqual(desk.service.state, .connecting)
            waitUntil("it is refused again") { desk.problem != nil }
            try desk.connect(details)
            waitUntil("it is online") { desk.service.state == .online }
            desk.service.disconnect()
        }
    }

    func testACertificateThatIsNotTrustedIsShownAndThenTrusted() throws {
        try onMainActor {
            let desk = JabberDesk()
            let details = try desk.details("grace")
            try desk.connect(details, trusting: "")
            waitUntil("it is refused") { desk.problem != nil }
            guard case .certificate(let report)? = desk.problem else {
                return XCTFail("\(desk.service.state)")
            }
            XCTAssertEqual(report.subject, "CN=localhost")
            XCTAssertEqual(report.issuer, "CN=Touchtone test authority")
            XCTAssertEqual(report.expiry.count, 10)
            XCTAssertEqual(report.fingerprint.count, 64)
            try desk.connect(details, trusting: String(repeating: "0", count: 64))
            waitUntil("another is refused") { desk.problem != nil }
            try desk.connect(details, trusting: report.fingerprint)
            waitUntil("it is online") { desk.service.state == .online }
            desk.service.disconnect()
        }
    }

    func testAWeakerSignInThanBeforeIsStoppedUntilItIsAllowed() throws {
        try onMainActor {
            let desk = JabberDesk()
            let script = Script.offering(["PLAIN"]) + "expect <auth\nsay password\nwait"
            let server = try ScriptedServer([script, script]) { g_main_context_wakeup(nil) }
            let details = AccountDetails(
                address: "grace@localhost", host: "127.0.0.1", port: server.port, security: .startTLS)
            XCTAssertEqual(desk.service.signInMethod, "")
            try desk.connect(details, atLeast: "SCRAM-SHA-1")
            waitUntil("it is stopped") { desk.problem != nil }
            guard case .weakerSignIn(let offer)? = desk.problem else {
                return XCTFail("\(desk.service.state)")
            }
            XCTAssertEqual(offer.method, "PLAIN")
            XCTAssertTrue(offer.tellsPassword && offer.reason.contains("SCRAM-SHA-1"), offer.reason)
            waitUntil("the server has seen the end") { server.output.contains("end") }
            XCTAssertFalse(server.output.contains("password"))
            try desk.connect(details, atLeast: offer.method)
            waitUntil("it is given the password") { server.output.contains("password") }
            desk.service.disconnect()
        }
    }

    func testHowItWasSignedInIsTold() throws {
        try onMainActor {
            let desk = JabberDesk()
            var method = ""
            desk.service.onChange = { [service = desk.service] in
                if service.state == .online { method = service.signInMethod }
            }
            let details = try desk.details("grace")
            try desk.connect(details)
            waitUntil("it is online") { desk.service.state == .online }
            XCTAssertTrue(method.hasPrefix("SCRAM-"), method)
            // It may be as strong again.
            try desk.connect(details, atLeast: method)
            waitUntil("it is online again") { desk.service.state == .online }
            desk.service.disconnect()
        }
    }

    func testWhatComesIsOfTheAccountThatWasToldLast() throws {
        try onMainActor {
            let desk = JabberDesk()
            try desk.connect(try desk.details("grace"))
            waitUntil("it is online") { desk.service.state == .online }
            desk.events = []
            XCTAssertEqual(desk.accounts, [])
            desk.service.use("Alan@LOCALHOST")
            XCTAssertEqual(desk.service.state, .off)
            XCTAssertEqual(desk.accounts, [ChatAddress("alan@localhost")])
            try desk.connect(try desk.details("alan"))
            waitUntil("another is online") { desk.service.state == .online }
            desk.events = []
            // Without a word before: what the first one still has to say comes first.
            let next = try desk.details("grace")
            try desk.connect(next)
            XCTAssertEqual(desk.accounts, [ChatAddress(next.address)])
            let index = desk.events.firstIndex { if case .account = $0 { true } else { false } }
            let off = desk.events.firstIndex { if case .state(.off) = $0 { true } else { false } }
            XCTAssertLessThan(try XCTUnwrap(off), try XCTUnwrap(index))
            desk.service.use("")
            XCTAssertEqual(desk.accounts.last, .some(nil))
            desk.service.disconnect()
        }
    }

    func testAddressesHaveOneForm() {
        onMainActor {
            let service = JabberDesk().service
            for text in ["Grace@LOCALHOST/phone", " grace@localhost "] {
                XCTAssertEqual(service.address(text) as String?, "grace@localhost")
            }
            for none in ["", "grace", "localhost", "a b@localhost"] {
                XCTAssertNil(service.address(none) as String?)
            }
            XCTAssertFalse(service.carries(.exchange))
        }
    }
}

/// A service with what it told.
@MainActor
private final class JabberDesk {
    let service: JabberService
    var events: [ChatServiceEvent] = []
    private var fingerprint = ""
    /// The accounts that were told.
    var accounts: [ChatAddress?] {
        events.compactMap { event -> ChatAddress?? in
            if case .account(let account) = event { .some(account) } else { nil }
        }
    }

    init(made: @escaping @MainActor () -> Void = {}) {
        let clock = FakeClock()
        service = JabberService(store: MemoryMessageStore(), clock: clock, wall: FixedWallClock()) {
            account in
            made()
            return XMPPClient(account: account, clock: clock, lookup: FakeLookup(), network: FakeNetwork())
        }
        service.onEvent = { [weak self] in self?.events.append($0) }
    }

    var problem: AccountProblem? {
        if case .failed(let problem) = service.state { problem } else { nil }
    }

    /// An account at Prosody of its own.
    func details(_ prefix: String) throws -> AccountDetails {
        let prosody = try Prosody.shared()
        return AccountDetails(
            address: "\(try prosody.makeAccount(prefix))@localhost", host: "127.0.0.1", port: prosody.port)
    }

    /// Signs it in; the certificate is trusted by its fingerprint unless another is given.
    func connect(
        _ details: AccountDetails, password: String = "secret", trusting: String? = nil,
        atLeast method: String = ""
    ) throws {
        service.connect(details, password: password, trusting: try trusting ?? trusted(), atLeast: method)
    }

    private func trusted() throws -> String {
        if fingerprint.isEmpty {
            fingerprint = try output(of: [
                "/usr/bin/python3", "-c",
                "import hashlib, ssl, sys; print(hashlib.sha256(ssl.PEM_cert_to_DER_cert(open(sys.argv[1]).read()))"
                    + ".hexdigest())", "\(try TestCertificates.folder())/good.crt",
            ]).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return fingerprint
    }
}
