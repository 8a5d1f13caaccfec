// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneEngine
@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of accounts in the settings without a phone that uses them.
    @Suite @MainActor struct RegistrationTestTests {
        @Test(arguments: [(SIPRegistration.registered, false), (.failed(.wrongPassword), true)])
        func registrationIsTriedOnce(_ answer: SIPRegistration, fails: Bool) async throws {
            let fixture = try SIPFixture()
            let own = try fixture.configure()
            let test = try #require(
                RegistrationTest("ada", own, password: "right", engine: fixture.accounts.engine))
            var result: String??
            Task { result = .some(await test.run()) }
            try await fixture.ready()
            try await fixture.expect(
                .setAccount(SIPAccount(id: "ada", address: "sip:ada@example.org"), password: "right"))
            fixture.engine.say(.registration(account: "bob", .failed(.noAnswer)))
            fixture.engine.say(.registration(account: "ada", .registering))
            fixture.engine.say(.registration(account: "ada", answer))
            try await fixture.wait { result != nil }
            #expect((result??.contains("password") ?? false) == fails)
            #expect(!fixture.accounts.engine.isWanted)
            try await fixture.wait { fixture.engine.commands.contains(.removeAccount(id: "ada")) }
            #expect(fixture.keyring.stored == ["sip:ada@example.org": "secret"])
        }

        @Test func missingEngineIsNamed() async throws {
            let fixture = try SIPFixture()
            fixture.launcher.isAvailable = false
            let own = try fixture.configure()
            let test = try #require(
                RegistrationTest("ada", own, password: "right", engine: fixture.accounts.engine))
            #expect(await test.run()?.contains("touchtone-sip") == true)
        }

        @Test func listIsThatOfTheSettings() throws {
            let fixture = try SIPFixture()
            let list = SIPAccountList(fixture.settings) { id throws(GLibError) in try SIPFixture.open(id) }
            #expect(throws: TelephoneAccountError.notAnAddress) { try list.add("ada") }
            let id = try list.add("ada@example.org")
            #expect(fixture.accounts.accounts.map(\.id) == [id], "a running phone sees it at once")
            #expect(throws: TelephoneAccountError.exists) { try list.add("sip:ada@example.org") }
            #expect(list.id(of: "sip:ada@example.org") == id && list.id(of: "bob@example.org") == nil)
            #expect(list.remove(id) == ["sip:ada@example.org"])
            #expect(list.remove("no such id").isEmpty)
            #expect(fixture.accounts.accounts.isEmpty && list.ids.isEmpty)
        }
    }
}
