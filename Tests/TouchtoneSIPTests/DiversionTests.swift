// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of an account that diverts its calls.
    @Suite @MainActor struct DiversionTests {
        private let fixture: SIPFixture
        private let settings: Settings

        init() throws {
            fixture = try SIPFixture()
            settings = try SIPFixture.open("ada")
        }

        private func set(_ to: String, calls: String = "always", isOn: Bool = true) async {
            settings[text: "divert-to"] = to
            settings[text: "divert-calls"] = calls
            settings[flag: "divert"] = isOn
            await fixture.settle()
        }

        private var diversion: Diversion? { fixture.lines.line("ada")?.diversion }

        private func offer(_ id: Int, from address: String = "sip:grace@example.org", diversions: Int = 0) {
            fixture.engine.say(
                .call(
                    SIPCallID(rawValue: id),
                    .incoming(account: "ada", caller: SIPParty(address: address), diversions: diversions)))
        }

        @Test func callsGoWhereTheSettingsSay() async throws {
            try await fixture.register()
            await set("bob@example.org")
            offer(1)
            try await fixture.expect(.call(SIPCallID(rawValue: 1), .redirect(to: "sip:bob@example.org")))
            #expect(fixture.records.map(\.endReason) == [.diverted] && fixture.accounts.isDiverting)
            await set("555-0100")
            offer(3)
            try await fixture.expect(.call(SIPCallID(rawValue: 3), .redirect(to: "sip:5550100@example.org")))
            // It has been around.
            offer(5, diversions: Diversion.maximumHops)
            try await fixture.expect(.call(SIPCallID(rawValue: 5), .ring))
            fixture.accounts.setDiverting(false)
            await fixture.settle()
            #expect(!settings[flag: "divert"] && diversion == nil && !fixture.accounts.isDiverting)
            #expect(fixture.accounts.canDivert)
            fixture.accounts.setDiverting(true)
            await fixture.settle()
            #expect(diversion?.target.number.text == "5550100")
        }

        @Test(arguments: [
            "", " ", "nobody", "@", "javascript:x", "ada@example.org", "sip:ADA@EXAMPLE.ORG;x=1", "ada",
        ])
        func nothingElseDiverts(_ to: String) async throws {
            try await fixture.register()
            await set(to)
            #expect(diversion == nil && !fixture.accounts.isDiverting)
            offer(1)
            try await fixture.expect(.call(SIPCallID(rawValue: 1), .ring))
        }

        @Test func occasionAndDelayAreBounded() async throws {
            try await fixture.register()
            await set("bob@example.org", calls: "no-answer")
            settings[count: "divert-after"] = 7
            await fixture.settle()
            #expect(diversion?.calls == .unanswered && diversion?.delay == .seconds(7))
            settings[flag: "enabled"] = false
            await fixture.settle()
            #expect(diversion == nil && !fixture.accounts.canDivert)
        }
    }
}
