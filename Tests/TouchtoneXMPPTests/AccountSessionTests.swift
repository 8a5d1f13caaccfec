// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneXMPP

/// Tests of the account between `Chat` and the sign-in, against Prosody.
final class AccountSessionTests: XMPPTestCase {
    func testNetworkIsNotWatchedBeforeFirstSignIn() throws {
        try onMainActor {
            var made = 0
            let fixture = AccountSessionFixture { made += 1 }
            fixture.service.setPresence(OwnPresence(.away))
            fixture.service.setPresence(OwnPresence(.online))
            fixture.service.wakeUp()
            fixture.service.disconnect()
            XCTAssertEqual(made, 0)
            XCTAssertEqual(fixture.service.state, .signedOut)
            XCTAssertTrue(fixture.service.isSettled)
            XCTAssertThrowsError(
                try awaited {
                    try await fixture.service.rosterModule.add(ChatAddress("alan@localhost"), name: "")
                }
            ) { XCTAssertEqual($0 as? ChatServiceError, .offline) }
        }
    }

    func testAccountIsAddedAndRemoved() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            try fixture.connect(try fixture.details("grace"))
            waitUntil("it is online") { fixture.service.state == .online }
            fixture.service.setPresence(OwnPresence(.offline))
            XCTAssertEqual(fixture.service.state, .signedOut)
            waitUntil("the stream is ended in good order") { fixture.service.isSettled }
            fixture.service.setPresence(OwnPresence(.online))
            waitUntil("it is online again") { fixture.service.state == .online }
            fixture.service.disconnect()
            XCTAssertEqual(fixture.service.state, .signedOut)
            fixture.service.setPresence(OwnPresence(.away))
            fixture.service.setPresence(OwnPresence(.online))
            XCTAssertEqual(fixture.service.state, .signedOut, "presence signs in who has signed out")
            waitUntil("the stream is ended in good order") { fixture.service.isSettled }
        }
    }

    func testWrongPasswordIsRecognized() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            let details = try fixture.details("grace")
            try fixture.connect(details, password: "wrong")
            waitUntil("it is refused") { fixture.problem != nil }
            guard case .password(let why)? = fixture.problem else {
                return XCTFail("\(fixture.service.state)")
            }
            XCTAssertTrue(why.contains("Wrong password"), why)
            try fixture.connect(details)
            waitUntil("it is online") { fixture.service.state == .online }
            fixture.service.disconnect()
        }
    }

    func testRefusedPasswordIsNotRetriedBeforeItIsEdited() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            let details = try fixture.details("grace")
            try fixture.connect(details, password: "wrong")
            waitUntil("it is refused") { fixture.problem != nil }
            let refusal = fixture.problem
            fixture.service.setPresence(OwnPresence(.offline))
            XCTAssertEqual(fixture.service.state, .signedOut)
            fixture.events = []
            fixture.service.setPresence(OwnPresence(.online))
            XCTAssertEqual(fixture.problem, refusal, "it is said at once, without asking the server")
            XCTAssertFalse(
                fixture.events.contains { if case .state(.connecting) = $0 { true } else { false } })
            // A user who types the same password again means it.
            try fixture.connect(details, password: "wrong")
            XCTAssertEqual(fixture.service.state, .connecting)
            waitUntil("it is refused again") { fixture.problem != nil }
            try fixture.connect(details)
            waitUntil("it is online") { fixture.service.state == .online }
            fixture.service.disconnect()
        }
    }

    func testUntrustedCertificateIsShownThenTrusted() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            let details = try fixture.details("grace")
            try fixture.connect(details, trusting: "")
            waitUntil("it is refused") { fixture.problem != nil }
            guard case .certificate(let report)? = fixture.problem else {
                return XCTFail("\(fixture.service.state)")
            }
            XCTAssertEqual(report.subject, "CN=localhost")
            XCTAssertEqual(report.issuer, "CN=Touchtone test authority")
            XCTAssertEqual(report.expiry.count, 10)
            XCTAssertEqual(report.fingerprint.count, 64)
            try fixture.connect(details, trusting: String(repeating: "0", count: 64))
            waitUntil("another is refused") { fixture.problem != nil }
            try fixture.connect(details, trusting: report.fingerprint)
            waitUntil("it is online") { fixture.service.state == .online }
            fixture.service.disconnect()
        }
    }

    func testWeakerSignInIsBlockedUntilAllowed() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            let script = Script.offering(["PLAIN"]) + "expect <auth\nsay password\nwait"
            let server = try ScriptedServer([script, script]) { g_main_context_wakeup(nil) }
            let details = AccountDetails(
                address: "grace@localhost", host: "127.0.0.1", port: server.port, security: .startTLS)
            XCTAssertEqual(fixture.service.signInMethod, "")
            try fixture.connect(details, atLeast: "SCRAM-SHA-1")
            waitUntil("it is stopped") { fixture.problem != nil }
            guard case .weakerSignIn(let offer)? = fixture.problem else {
                return XCTFail("\(fixture.service.state)")
            }
            XCTAssertEqual(offer.method, "PLAIN")
            XCTAssertTrue(offer.tellsPassword, offer.reason)
            waitUntil("the server has seen the end") { server.output.contains("end") }
            XCTAssertFalse(server.output.contains("password"))
            try fixture.connect(details, atLeast: offer.method)
            waitUntil("it is given the password") { server.output.contains("password") }
            fixture.service.disconnect()
        }
    }

    func testSignInMethodIsReported() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            var method = ""
            fixture.service.onChange = { [service = fixture.service] in
                if service.state == .online { method = service.signInMethod }
            }
            let details = try fixture.details("grace")
            try fixture.connect(details)
            waitUntil("it is online") { fixture.service.state == .online }
            XCTAssertTrue(method.hasPrefix("SCRAM-"), method)
            // The server may offer a stronger mechanism again.
            try fixture.connect(details, atLeast: method)
            waitUntil("it is online again") { fixture.service.state == .online }
            fixture.service.disconnect()
        }
    }

    func testEventsBelongToLastReportedAccount() throws {
        try onMainActor {
            let fixture = AccountSessionFixture()
            try fixture.connect(try fixture.details("grace"))
            waitUntil("it is online") { fixture.service.state == .online }
            fixture.events = []
            XCTAssertEqual(fixture.accounts, [])
            fixture.service.use("Alan@LOCALHOST")
            XCTAssertEqual(fixture.service.state, .signedOut)
            XCTAssertEqual(fixture.accounts, [ChatAddress("alan@localhost")])
            try fixture.connect(try fixture.details("alan"))
            waitUntil("another is online") { fixture.service.state == .online }
            fixture.events = []
            // Without an event in between: the remaining events of the first account come first.
            let next = try fixture.details("grace")
            try fixture.connect(next)
            XCTAssertEqual(fixture.accounts, [ChatAddress(next.address)])
            let index = fixture.events.firstIndex { if case .account = $0 { true } else { false } }
            let off = fixture.events.firstIndex { if case .state(.signedOut) = $0 { true } else { false } }
            XCTAssertLessThan(try XCTUnwrap(off), try XCTUnwrap(index))
            fixture.service.use("")
            XCTAssertEqual(fixture.accounts.last, .some(nil))
            fixture.service.disconnect()
        }
    }

    func testPicturesOfOldAccountAreRemoved() {
        onMainActor {
            let pictures = MemoryCache()
            let clock = ManualScheduler()
            let service = XMPPAccountSession(
                store: MemoryMessageStore(), clock: clock, wall: FixedWallClock(), pictures: pictures)
            for address in ["", "alan@localhost"] {
                pictures.kept = ["a9993e364706816aba3e25717850c26c9cd0d89d": [1]]
                service.disconnect()
                XCTAssertEqual(pictures.kept.count, 1, "signing out removed them")
                service.use(address)
                XCTAssertEqual(pictures.kept, [:])
                XCTAssertEqual(pictures.account, address, "the pictures of the next account are its own")
            }
        }
    }

    func testEachModuleIsInTheList() {
        onMainActor {
            let service = AccountSessionFixture().service
            let owned = Mirror(reflecting: service).children.compactMap { $0.value as? any StreamModule }
            XCTAssertEqual(
                Set(service.modules.map { ObjectIdentifier($0) }), Set(owned.map { ObjectIdentifier($0) }))
            XCTAssertEqual(service.modules.count, owned.count)
        }
    }

    func testRequestOutlivesTheAccount() throws {
        try onMainActor {
            let session = try signedIn("grace")
            var service: XMPPAccountSession? = XMPPAccountSession(
                client: session.client, store: MemoryMessageStore(), clock: ManualScheduler(),
                wall: FixedWallClock())
            let context = try XCTUnwrap(service?.context)
            context.stage = .ready
            let (rooms, room) = (try XCTUnwrap(service?.rooms), try newRoom())
            var reason: RoomError?
            Task {
                do throws(RoomError) {
                    try await rooms.join(ChatAddress(room), as: "grace", password: "", creation: nil)
                } catch {
                    reason = error
                }
            }
            // The user removes the account before the room answers.
            service = nil
            waitUntil("there is an answer") { reason != nil }
            XCTAssertEqual(reason, .missing)
        }
    }

    func testAddressesAreNormalized() {
        onMainActor {
            let service = AccountSessionFixture().service
            for text in ["Grace@LOCALHOST/phone", " grace@localhost "] {
                XCTAssertEqual(service.address(text) as String?, "grace@localhost")
            }
            for none in ["", "grace", "localhost", "a b@localhost"] {
                XCTAssertNil(service.address(none) as String?)
            }
            XCTAssertFalse(service.carries(.operatorAddress))
        }
    }
}

/// A service with a record of its events.
@MainActor
private final class AccountSessionFixture {
    let service: XMPPAccountSession
    var events: [ChatServiceEvent] = []
    private var fingerprint = ""
    /// The reported accounts.
    var accounts: [ChatAddress?] {
        events.compactMap { event -> ChatAddress?? in
            if case .account(let account) = event { .some(account) } else { nil }
        }
    }

    init(made: @escaping @MainActor () -> Void = {}) {
        let clock = ManualScheduler()
        let network = { @MainActor in
            made()
            return FakeNetwork()
        }
        let client = XMPPClient(account: .none, clock: clock, lookup: FakeLookup(), network: network())
        service = XMPPAccountSession(
            client: client, store: MemoryMessageStore(), clock: clock, wall: FixedWallClock())
        service.onEvent = { [weak self] in self?.events.append($0) }
    }

    var problem: AccountProblem? {
        if case .failed(let problem) = service.state { problem } else { nil }
    }

    /// Returns a new account.
    func details(_ prefix: String) throws -> AccountDetails {
        let server = try TestServer.shared()
        return AccountDetails(
            address: "\(try server.makeAccount(prefix))@localhost", host: "127.0.0.1", port: server.port)
    }

    /// Signs in; the certificate is trusted by its fingerprint unless a different one is given.
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
