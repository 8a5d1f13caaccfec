// SPDX-License-Identifier: GPL-3.0-or-later

import CGio
import ChatTestSupport
import TestSupport
import TouchtoneCore
@testable import TouchtoneXMPP
import XCTest

/// Tests of a sign-in that only shows whether an account works.
final class SignInTestTests: XMPPTestCase {
    func testSignInThatWorksEndsAtOnce() throws {
        try check(script: Script.online + "expect </stream:stream>\nclose", trusts: true) { XCTAssertNil($0) }
    }

    func testCertificateIsChecked() throws {
        try check(script: Script.online + "wait", trusts: false) { problem in
            XCTAssertTrue(problem?.contains("certificate") == true, problem ?? "no problem")
        }
    }

    func testConnectionThatIsCutIsAProblem() throws {
        try check(script: Script.opening + "reset", trusts: true) { XCTAssertNotNil($0) }
    }

    func testAddressesAreCanonical() {
        onMainActor {
            XCTAssertEqual(SignInTest.address("Ada@Example.ORG"), "ada@example.org")
            for text in ["", "ada", "@example.org", "ada@example.org/phone", "ada @example.org"] {
                XCTAssertNil(SignInTest.address(text), text)
            }
        }
    }

    private func check(script: String, trusts: Bool, _ body: @MainActor (String?) -> Void) throws {
        try onMainActor {
            let server = try ScriptedServer([script]) { g_main_context_wakeup(nil) }
            var account = XMPPAccount(jid: try XCTUnwrap(JID("grace@localhost")), password: "secret")
            (account.host, account.port, account.tls) = ("127.0.0.1", server.port, .startTLS)
            if trusts { account.trust = .file(try TestCertificates.authority()) }
            let test = SignInTest(
                XMPPClient(
                    account: account, clock: ManualScheduler(), lookup: FakeLookup(), network: FakeNetwork()))
            var result: String??
            Task { result = .some(await test.run()) }
            waitUntil("the test has ended") { result != nil }
            body(result ?? "none")
            waitUntil("the stream is closed") { test.isSettled }
            server.end()
        }
    }
}
