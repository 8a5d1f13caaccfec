// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the passwords of TURN servers.
    @Suite @MainActor struct RelayPasswordTests {
        private let name = "turn:ada@example.com@turn.example.org:3478"

        private func account() -> SIPAccount {
            SIPAccount(
                id: "ada", address: "sip:ada@example.org", stunServer: "turn.example.org:3478",
                relayUser: "ada@example.com")
        }

        @Test func passwordComesFromTheKeyring() async throws {
            let fixture = try SIPFixture()
            fixture.keyring.stored[name] = "relayed"
            try await fixture.register()
            try SIPFixture.open("ada")[text: "stun-server"] = name
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: "relayed"))
            #expect(fixture.accounts.accounts[0].relayProblem == nil)
            try SIPFixture.open("ada")[text: "stun-server"] = "stun:stun.example.org"
            let plain = SIPAccount(id: "ada", address: "sip:ada@example.org", stunServer: "stun.example.org")
            try await fixture.expect(.setAccount(plain, password: "secret"))
        }

        @Test(arguments: [
            (nil, ChatAccount.PasswordReason.noneKept), (PasswordStoreError.absent, .noKeyring),
            (.refused("locked"), .keyringRefused("locked")),
        ])
        func accountWorksWithoutPassword(error: PasswordStoreError?, reason: ChatAccount.PasswordReason)
            async throws
        {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.keyring.failure = error
            try SIPFixture.open("ada")[text: "stun-server"] = name
            try await fixture.expect(.setAccount(account(), password: "secret"))
            #expect(fixture.accounts.accounts[0].relayProblem == reason)
            fixture.accounts.setRelayPassword("typed", of: "ada")
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: "typed"))
            await fixture.settle()
            #expect(fixture.accounts.accounts[0].relayProblem == (error == nil ? nil : reason))
            #expect(fixture.keyring.stored[name] == (error == nil ? "typed" : nil))
            // The keyring is asked again if it may have another password.
            fixture.keyring.failure = nil
            fixture.keyring.stored[name] = "changed"
            fixture.accounts.test("ada")
            let next = error == nil ? "changed" : "typed"
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: next))
        }

        @Test(arguments: [
            (SIPRelayState.accepted, ""), (.wrongPassword, "did not accept the name or the password"),
            (.noAnswer, "isn’t responding"), (.refused(status: 486), "(486)"),
        ])
        func checkOfTheServerIsTold(state: SIPRelayState, text: String) async throws {
            let fixture = try SIPFixture()
            fixture.keyring.stored[name] = "relayed"
            try await fixture.register()
            try SIPFixture.open("ada")[text: "stun-server"] = name
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: "relayed"))
            fixture.engine.say(.registration(account: "ada", .registered))
            fixture.engine.say(.relay(account: "ada", state))
            try await fixture.wait { fixture.state() == .registered }
            if !text.isEmpty {
                try await fixture.wait { fixture.accounts.accounts[0].relayFailure.contains(text) }
            }
            #expect(fixture.accounts.accounts[0].relayFailure.isEmpty == text.isEmpty)
            #expect(fixture.lines.line("ada")?.state == .available)
            fixture.accounts.test("ada")
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: "relayed"))
            #expect(fixture.accounts.accounts[0].relayFailure == "")
        }

        @Test func passwordIsRemovedWithTheAccount() async throws {
            let fixture = try SIPFixture()
            fixture.keyring.stored[name] = "relayed"
            try await fixture.register()
            try SIPFixture.open("ada")[text: "stun-server"] = name
            try await fixture.expect(.setAccount(account(), password: "secret", relayPassword: "relayed"))
            fixture.accounts.remove("ada")
            try await fixture.wait { fixture.keyring.stored == [:] }
        }
    }
}
