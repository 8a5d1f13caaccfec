// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the voicemail of an account, whose server may say anything.
    @Suite @MainActor struct VoicemailTests {
        private func voicemail(_ fixture: SIPFixture) -> Voicemail? { fixture.lines.line("ada")?.voicemail }

        @Test func lineHasMailboxOfItsAccount() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            #expect(voicemail(fixture) == Voicemail.none)
            fixture.engine.say(
                .mailbox(account: "ada", SIPMailbox(newMessages: 3, address: "sip:*98@example.org")))
            try await fixture.wait { voicemail(fixture)?.newMessages == 3 }
            #expect(voicemail(fixture)?.callee?.address == "sip:*98@example.org")
            #expect(fixture.accounts.accounts.first?.newMessages == 3)
            fixture.engine.say(.mailbox(account: "nobody", SIPMailbox(newMessages: 5)))
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: nil)))
            try await fixture.wait { voicemail(fixture) == Voicemail(newMessages: nil) }
        }

        @Test(
            arguments: [
                ("*98", RemoteParty(DialledNumber("*98") ?? DialledNumber())),
                ("mail@example.org", RemoteParty(DialledNumber(), address: "sip:mail@example.org")),
                ("sip:mail@example.org", RemoteParty(DialledNumber(), address: "sip:mail@example.org")),
                ("nothing@", nil), ("", nil), (" ", nil),
            ] as [(String, RemoteParty?)])
        func numberOfSettingsComesFirst(text: String, callee: RemoteParty?) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: 1, address: "tel:+15550100")))
            try await fixture.wait { voicemail(fixture)?.newMessages == 1 }
            try SIPFixture.open("ada")[text: "voicemail"] = text
            await fixture.settle()
            let number = RemoteParty(DialledNumber("+15550100") ?? DialledNumber())
            try await fixture.wait { voicemail(fixture)?.callee == callee ?? number }
            #expect(voicemail(fixture)?.newMessages == 1, "the account is not registered again")
        }

        @Test(arguments: ["javascript:x", "tel:", "sip:", "xmpp:a@b", String(repeating: "x", count: 5_000)])
        func addressOfServerIsChecked(_ address: String) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: -7, address: address)))
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: 1 << 40, address: address)))
            try await fixture.wait { voicemail(fixture)?.newMessages == SIPMailbox.maximumCount }
            #expect(voicemail(fixture)?.callee == nil)
        }

        @Test func countEndsWithAccountAndEngine() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let own = try SIPFixture.open("ada")
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: 3)))
            try await fixture.wait { voicemail(fixture)?.newMessages == 3 }
            fixture.engine.die()
            try await fixture.wait { voicemail(fixture)?.newMessages == 0 }
            fixture.clock.advance(by: .seconds(10))
            try await fixture.ready()
            fixture.engine.say(.mailbox(account: "ada", SIPMailbox(newMessages: 2)))
            try await fixture.wait { voicemail(fixture)?.newMessages == 2 }
            let line = try #require(fixture.lines.line("ada"))
            own[flag: "enabled"] = false
            try await fixture.wait { line.voicemail == .none }
        }
    }
}
