// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the accounts in the settings, their passwords, and the rule for strangers.
    @Suite @MainActor struct SettingsTests {
        @Test func linesPrecedeOthersInOrderOfSetting() async throws {
            let fixture = try SIPFixture()
            try fixture.configure("bob")
            try fixture.configure("ada")
            await fixture.settle()
            #expect(fixture.lines.lines.map(\.id) == ["bob", "ada", "practice"])
            #expect(fixture.lines.lines.map(\.label) == ["BOB CONNECTING", "ADA CONNECTING", "PRACTICE"])
            fixture.settings[list: "sip-accounts"] = ["ada", "../x", "ada", "tel", "", "bob"]
            await fixture.settle()
            #expect(fixture.lines.lines.map(\.id) == ["ada", "bob", "practice"])
            try SIPFixture.open("ada")[flag: "enabled"] = false
            await fixture.settle()
            #expect(fixture.lines.lines.map(\.id) == ["bob", "practice"] && fixture.state() == .disabled)
        }

        @Test func changesFromOutsideCountAtOnce() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let own = try SIPFixture.open("ada")
            own[text: "registrar"] = " sip.example.org:5061\n"
            own[text: "auth-name"] = "ada-auth"
            own[text: "transport"] = "udp"
            own[text: "srtp"] = "required"
            own[text: "stun-server"] = "stun.example.org"
            own[list: "codecs"] = ["pcma", "speex", "G722", "PCMA"]
            own[text: "dtmf"] = "info"
            own[count: "expiry"] = 120
            try await fixture.expect(
                .setAccount(
                    SIPAccount(
                        id: "ada", address: "sip:ada@example.org", authenticationName: "ada-auth",
                        registrar: "sip:sip.example.org:5061", transport: .udp, encryption: .required,
                        stunServer: "stun.example.org", codecs: [.pcma, .g722], dtmf: .info, expiry: 120),
                    password: "secret"))
            own[flag: "enabled"] = false
            try await fixture.wait { fixture.engine.isClosed || !fixture.engine.commands.isEmpty }
            #expect(fixture.engine.takeCommands() == [.removeAccount(id: "ada")])
            own[flag: "enabled"] = true
            try await fixture.wait { fixture.launcher.engines.count == 2 }
        }

        @Test func trustInCertificateIsForOneServerAndCanBeEnded() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let digits = String(repeating: "0a", count: 32)
            fixture.accounts.trustCertificate(of: "ada")
            #expect(fixture.accounts.accounts[0].refusedCertificate == "", "there is none to trust")
            let colons = Array(repeating: "0A", count: 32).joined(separator: ":")
            let fault = SIPCertificateFault([.notTrusted], fingerprint: colons)
            fixture.engine.say(.registration(account: "ada", .failed(.certificate(fault))))
            try await fixture.wait { fixture.accounts.accounts[0].refusedCertificate == digits }
            fixture.accounts.trustCertificate(of: "ada")
            var account = SIPAccount(id: "ada", address: "sip:ada@example.org", trustedCertificate: digits)
            try await fixture.expect(.setAccount(account, password: "secret"))
            let own = try SIPFixture.open("ada")
            #expect(own[text: "pinned-certificate"] == "example.org \(digits)")
            #expect(fixture.accounts.accounts[0].trustedCertificate == digits)
            #expect(fixture.accounts.accounts[0].refusedCertificate == "")
            own[text: "registrar"] = "sip.example.org"
            (account.registrar, account.trustedCertificate) = ("sip:sip.example.org", "")
            try await fixture.expect(.setAccount(account, password: "secret"))
            own[text: "pinned-certificate"] = "SIP.example.org \(colons)"
            account.trustedCertificate = digits
            try await fixture.expect(.setAccount(account, password: "secret"))
            fixture.accounts.distrustCertificate(of: "ada")
            account.trustedCertificate = ""
            try await fixture.expect(.setAccount(account, password: "secret"))
            #expect(own[text: "pinned-certificate"] == "")
        }

        @Test func newAddressNeedsItsOwnPassword() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try SIPFixture.open("ada")[text: "address"] = "lovelace@example.org"
            try await fixture.wait { fixture.state() == .passwordWanted(.noneKept) }
            #expect(fixture.accounts.accounts[0].address == "sip:lovelace@example.org")
            try SIPFixture.open("ada")[text: "address"] = "not an address"
            try await fixture.wait {
                if case .failed(let reason)? = fixture.state() {
                    reason.contains("not an address")
                } else {
                    false
                }
            }
        }

        @Test(arguments: [
            (nil, ChatAccount.PasswordReason.noneKept), (PasswordStoreError.absent, .noKeyring),
            (.refused("locked"), .keyringRefused("locked")),
        ])
        func missingPasswordIsReported(error: PasswordStoreError?, reason: ChatAccount.PasswordReason)
            async throws
        {
            let fixture = try SIPFixture()
            fixture.keyring.failure = error
            try fixture.configure(password: nil)
            fixture.accounts.start()
            try await fixture.wait { fixture.state() == .passwordWanted(reason) }
            #expect(fixture.launcher.engines.isEmpty)
            fixture.accounts.setPassword("typed", of: "ada")
            try await fixture.ready()
            try await fixture.wait { fixture.engine.commands.count == 1 }
            await fixture.settle()
            #expect(fixture.accounts.accounts[0].notKept == (error == nil ? nil : reason))
            #expect(fixture.keyring.stored["sip:ada@example.org"] == (error == nil ? "typed" : nil))
        }

        @Test(arguments: [PasswordStoreError.absent, .refused("locked")])
        func keyringThatReturnsIsAskedAgain(error: PasswordStoreError) async throws {
            let fixture = try SIPFixture()
            fixture.keyring.failure = error
            try fixture.configure(password: "secret")
            fixture.keyring.returns()
            await fixture.settle()
            #expect(fixture.keyring.requests == [], "it is not asked before the window is shown")
            fixture.accounts.start()
            try await fixture.wait {
                if case .passwordWanted? = fixture.state() { true } else { false }
            }
            // It was unlocked for a moment only.
            fixture.keyring.returns()
            await fixture.settle()
            #expect(fixture.keyring.requests.count == 2 && fixture.launcher.engines.isEmpty)
            fixture.keyring.failure = nil
            fixture.keyring.returns()
            fixture.keyring.returns()
            try await fixture.ready()
            try await fixture.wait { fixture.engine.commands.count == 1 }
            fixture.keyring.returns()
            await fixture.settle()
            #expect(fixture.keyring.requests.count == 3, "what it has given is not asked for again")
        }

        /// The user has to type what no keyring has.
        @Test func keyringWithoutPasswordIsNotAskedAgain() async throws {
            let fixture = try SIPFixture()
            try fixture.configure(password: nil)
            fixture.accounts.start()
            try await fixture.wait { fixture.state() == .passwordWanted(.noneKept) }
            fixture.keyring.returns()
            await fixture.settle()
            #expect(fixture.keyring.requests.count == 1)
        }

        @Test func accountIsAddedAndRemoved() async throws {
            let fixture = try SIPFixture()
            fixture.accounts.start()
            #expect(throws: TelephoneAccountError.notAnAddress) {
                try fixture.accounts.add("ada", password: "x")
            }
            #expect(throws: TelephoneAccountError.noPassword) {
                try fixture.accounts.add("ada@example.org", password: "")
            }
            let id = try fixture.accounts.add(" Ada@Example.org ", password: "secret")
            #expect(id == "ada-example-org" && fixture.settings[list: "sip-accounts"] == [id])
            #expect(try SIPFixture.open(id)[text: "address"] == "sip:Ada@example.org")
            #expect(throws: TelephoneAccountError.exists) {
                try fixture.accounts.add("sip:Ada@example.org", password: "x")
            }
            try await fixture.ready()
            #expect(fixture.keyring.stored == ["sip:Ada@example.org": "secret"])
            fixture.settings[text: "dial-line"] = id
            fixture.accounts.remove(id)
            try await fixture.wait { fixture.keyring.stored == [:] }
            #expect(
                fixture.settings[list: "sip-accounts"].isEmpty && fixture.settings[text: "dial-line"] == "")
            #expect(try SIPFixture.open(id)[text: "address"] == "" && fixture.lines.accounts.isEmpty)
        }

        @Test func accountIsAddedWithItsSettings() async throws {
            let fixture = try SIPFixture()
            fixture.accounts.start()
            var setup = TelephoneSetup(address: "sip:ada@example.org")
            (setup.password, setup.user, setup.server) = ("secret", "4711", "pbx.example.org:5061")
            (setup.transport, setup.encryption, setup.keys) = ("tcp", "required", "info")
            (setup.voicemail, setup.expiry) = ("*97", 120)
            let id = try fixture.accounts.add(setup)
            try await fixture.ready()
            try await fixture.wait { !fixture.engine.commands.isEmpty }
            // The first registration has them already.
            guard case .setAccount(let account, let password, _) = fixture.engine.commands[0] else {
                return #expect(Bool(false), "\(fixture.engine.commands)")
            }
            #expect(password == "secret")
            #expect(account.authenticationName == "4711" && account.registrar == "sip:pbx.example.org:5061")
            #expect(account.transport == .tcp && account.encryption == .required)
            #expect(account.dtmf == .info && account.expiry == 120)
            #expect(try SIPFixture.open(id)[text: "voicemail"] == "*97")
            #expect(throws: TelephoneAccountError.exists) { try fixture.accounts.add(setup) }
            setup.address = "sip:bob@example.org"
            setup.password = ""
            let other = try fixture.accounts.add(setup)
            try await fixture.wait { fixture.state(of: other) == .passwordWanted(.noneKept) }
            fixture.accounts.remove(other)
            fixture.accounts.remove(id)
        }

        @Test func testReadsPasswordAgain() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.engine.say(.registration(account: "ada", .failed(.wrongPassword)))
            try await fixture.wait { fixture.state() != .registered }
            fixture.keyring.stored["sip:ada@example.org"] = "right"
            fixture.accounts.test("ada")
            try await fixture.expect(
                .setAccount(SIPAccount(id: "ada", address: "sip:ada@example.org"), password: "right"))
            #expect(fixture.state() == .connecting)
        }

        @Test(arguments: [
            (nil, ChatAccount.PasswordReason.noneKept), (PasswordStoreError.absent, .noKeyring),
            (.refused("locked"), .keyringRefused("locked")),
        ])
        func testKeepsCallAndPassword(error: PasswordStoreError?, reason: ChatAccount.PasswordReason)
            async throws
        {
            let fixture = try SIPFixture()
            try await fixture.register()
            _ = try await fixture.talk()
            (fixture.keyring.failure, fixture.keyring.stored) = (error, [:])
            fixture.accounts.test("ada")
            let account = SIPAccount(id: "ada", address: "sip:ada@example.org")
            try await fixture.expect(.setAccount(account, password: "secret"))
            #expect(fixture.calls.current?.state == .connected && fixture.launcher.engines.count == 1)
            #expect(fixture.accounts.accounts[0].notRead == reason)
            fixture.keyring.failure = nil
            fixture.keyring.stored["sip:ada@example.org"] = "other"
            fixture.accounts.test("ada")
            try await fixture.expect(.setAccount(account, password: "other"))
            #expect(fixture.accounts.accounts[0].notRead == nil)
        }

        @Test func passwordThatOnlyThePhoneHasOutlastsTurningOff() async throws {
            let fixture = try SIPFixture()
            fixture.keyring.failure = .absent
            let own = try fixture.configure(password: nil)
            fixture.accounts.start()
            try await fixture.wait { fixture.state() == .passwordWanted(.noKeyring) }
            fixture.accounts.setPassword("typed", of: "ada")
            try await fixture.ready()
            try await fixture.wait { fixture.accounts.accounts[0].notKept == .noKeyring }
            own[flag: "enabled"] = false
            try await fixture.wait { fixture.engine.commands.last == .removeAccount(id: "ada") }
            own[flag: "enabled"] = true
            try await fixture.wait { fixture.launcher.engines.count == 2 }
            try await fixture.ready()
            let account = SIPAccount(id: "ada", address: "sip:ada@example.org")
            try await fixture.wait { fixture.engine.commands.count == 1 }
            #expect(fixture.engine.commands.last == .setAccount(account, password: "typed"))
            // But it belongs to one address only.
            own[flag: "enabled"] = false
            own[text: "address"] = "sip:lovelace@example.org"
            try await fixture.wait { fixture.engine.commands.last == .removeAccount(id: "ada") }
            own[flag: "enabled"] = true
            try await fixture.wait { fixture.state() == .passwordWanted(.noKeyring) }
        }

        @Test func oldAddressIsUnregisteredAtOnce() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.keyring.stored["sip:lovelace@example.org"] = "new"
            fixture.keyring.isHeld = true
            try SIPFixture.open("ada")[text: "address"] = "sip:lovelace@example.org"
            try await fixture.expect(.removeAccount(id: "ada"))
            #expect(fixture.state() == .asking)
            fixture.keyring.release()
            try await fixture.expect(
                .setAccount(SIPAccount(id: "ada", address: "sip:lovelace@example.org"), password: "new"))
        }

        @Test func passwordOfSameAddressIsKept() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            try SIPFixture.open("bob")[text: "address"] = "sip:ada@example.org"
            fixture.settings[list: "sip-accounts"] += ["bob"]
            await fixture.settle()
            fixture.accounts.remove("ada")
            await fixture.settle()
            #expect(fixture.keyring.stored == ["sip:ada@example.org": "secret"])
            fixture.accounts.remove("bob")
            try await fixture.wait { fixture.keyring.stored == [:] }
        }

        @Test func strangersAreDeclinedAsBusyAndRecorded() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let rules = CallerRules()
            (rules.unknown, rules.knows) = (.decline, { $0.address == "sip:grace@example.org" })
            fixture.accounts.callers = rules
            let (stranger, friend) = (SIPCallID(rawValue: 1), SIPCallID(rawValue: 3))
            fixture.engine.say(
                .call(stranger, .incoming(account: "ada", caller: SIPParty(address: "sip:eve@example.org"))))
            try await fixture.expect(.call(stranger, .declineAsBusy))
            #expect(fixture.calls.calls.isEmpty && fixture.records.map(\.endReason) == [.busy])
            #expect(fixture.records[0].remote.address == "sip:eve@example.org" && fixture.records[0].isMissed)
            fixture.engine.say(
                .call(friend, .incoming(account: "ada", caller: SIPParty(address: "sip:grace@example.org"))))
            try await fixture.expect(.call(friend, .ring))
            #expect(fixture.calls.incoming?.remote.address == "sip:grace@example.org")
        }
    }
}
