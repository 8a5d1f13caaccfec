// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import HelperMessages
import SIPMessages
import Testing
import TouchtoneCore

@testable import TouchtoneEngine
@testable import TouchtoneHelpers
@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of the engine's life: its start, its end and its restarts.
    @Suite @MainActor struct EngineLifeTests {
        @Test func engineStartsWithFirstAccountOnly() async throws {
            let fixture = try SIPFixture()
            fixture.accounts.start()
            await fixture.settle()
            #expect(fixture.launcher.engines.isEmpty && fixture.keyring.requests.isEmpty)
            try fixture.configure()
            try await fixture.wait { fixture.launcher.engine?.configuration != nil }
            #expect(fixture.engine.configuration == SIPConfiguration(userAgent: "Test/1"))
            #expect(fixture.engine.commands.isEmpty, "no password before the engine is known")
            fixture.engine.say(.ready(version: SIPHelper.version))
            try await fixture.expect(
                .setAccount(SIPAccount(id: "ada", address: "sip:ada@example.org"), password: "secret"))
        }

        @Test func nothingStartsBeforeWindowIsShown() async throws {
            let fixture = try SIPFixture()
            try fixture.configure()
            await fixture.settle()
            #expect(fixture.launcher.engines.isEmpty && fixture.keyring.requests.isEmpty)
            #expect(fixture.lines.line("ada")?.state == .connecting)
        }

        @Test func engineEndsWithLastAccount() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.settings[list: "sip-accounts"] = []
            try await fixture.wait { !fixture.accounts.engine.isWanted }
            #expect(fixture.engine.takeCommands() == [.removeAccount(id: "ada")])
            #expect(fixture.engine.isClosed && fixture.lines.accounts.isEmpty)
            #expect(!fixture.engine.isKilled, "it has time to unregister")
            fixture.clock.advance(by: .seconds(5))
            #expect(fixture.engine.isKilled && fixture.launcher.engines.count == 1)
        }

        @Test func deadEngineIsRestartedWithGrowingDelay() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            for delay in [500, 1000, 2000, 4000] {
                let count = fixture.launcher.engines.count
                fixture.engine.die()
                try await fixture.wait { !fixture.accounts.engine.isReady }
                // A single end is repaired too soon to be worth a message.
                #expect((fixture.state() == .connecting) == (delay == 500))
                fixture.clock.advance(by: .milliseconds(delay - 1))
                #expect(fixture.launcher.engines.count == count)
                fixture.clock.advance(by: .milliseconds(1))
                #expect(fixture.launcher.engines.count == count + 1)
                try await fixture.ready()
                try await fixture.wait { fixture.engine.commands.count == 1 }
                #expect(fixture.engine.commands.last.map { "\($0)" }?.contains("setAccount") == true)
            }
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
            fixture.clock.advance(by: Restarts.stableTime)
            fixture.engine.die()
            try await fixture.wait { !fixture.accounts.engine.isReady }
            #expect(fixture.clock.nextDelay == Restarts.shortestDelay, "it had been stable")
        }

        @Test func messagesOfWhichEnginesDiedAreRefused() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            for message in [7, nil, 8, 7] { try await fixture.die(handling: message) }
            #expect(
                fixture.engine.configuration
                    == SIPConfiguration(userAgent: "Test/1", refusedMessages: [8, 7]))
        }

        @Test func onlyLatestMessagesAreRefused() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            for message in 1...RefusedMessages.maximumCount + 2 {
                try await fixture.die(handling: message)
            }
            let refused = Array(3...RefusedMessages.maximumCount + 2)
            #expect(
                fixture.engine.configuration
                    == SIPConfiguration(userAgent: "Test/1", refusedMessages: refused))
        }

        /// A message of a stranger may end the engine again and again.
        @Test func registeredLineComesBackSoonEachTime() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            for number in 1...6 {
                fixture.clock.advance(by: .seconds(1))
                fixture.engine.die()
                try await fixture.wait { !fixture.accounts.engine.isReady }
                #expect(fixture.clock.nextDelay == Restarts.shortestDelay)
                if number > 1 {
                    let text = "The SIP service stopped unexpectedly and is being restarted."
                    #expect(fixture.state() == .failed(text))
                }
                fixture.clock.advance(by: Restarts.shortestDelay)
                try await fixture.ready()
                try await fixture.wait { fixture.engine.commands.count == 1 }
                fixture.engine.say(.registration(account: "ada", .registered))
                try await fixture.wait { fixture.state() == .registered }
            }
        }

        @Test func callEndsWithReasonWhenEngineDies() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            _ = try await fixture.talk()
            fixture.engine.die()
            try await fixture.wait { fixture.calls.calls.isEmpty }
            #expect(
                fixture.records.last?.endReason
                    == .failed("the SIP service stopped unexpectedly and is being restarted"))
            fixture.clock.advance(by: .milliseconds(500))
            try await fixture.ready()
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
            _ = fixture.engine.takeCommands()
            _ = try await fixture.talk()
        }

        @Test func engineThatCannotStartIsTriedAgain() async throws {
            let fixture = try SIPFixture()
            fixture.launcher.isBroken = true
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.wait { fixture.clock.nextDelay == .milliseconds(500) }
            fixture.launcher.isBroken = false
            fixture.clock.advance(by: .milliseconds(500))
            // This one does not answer.
            let silent = try #require(fixture.launcher.engine)
            fixture.clock.advance(by: Restarts.startLimit)
            #expect(silent.isKilled)
            fixture.clock.advance(by: .seconds(1))
            try await fixture.ready()
        }

        @Test func engineThatFailsAgainIsReported() async throws {
            let fixture = try SIPFixture()
            fixture.launcher.isBroken = true
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.wait { fixture.clock.nextDelay == .milliseconds(500) }
            #expect(fixture.state() == .connecting, "one failure is repaired soon")
            fixture.clock.advance(by: .milliseconds(500))
            let text = "The SIP service stopped unexpectedly and is being restarted."
            #expect(fixture.state() == .failed(text))
            #expect(fixture.lines.line("ada")?.state == .unavailable(reason: text))
            fixture.launcher.isBroken = false
            fixture.clock.advance(by: .seconds(1))
            #expect(fixture.state() == .failed(text), "it is not ready")
            try await fixture.ready()
            #expect(fixture.state() == .connecting)
        }

        @Test func engineStartsWithPresentNetwork() async throws {
            let fixture = try SIPFixture()
            fixture.network.isAvailable = false
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.wait { fixture.launcher.engine?.configuration != nil }
            #expect(
                fixture.engine.configuration == SIPConfiguration(userAgent: "Test/1", hasNetwork: false))
            // The network comes before the engine accepts commands.
            fixture.network.isAvailable = true
            fixture.network.onChange?(true)
            fixture.engine.say(.ready(version: SIPHelper.version))
            try await fixture.expect(
                .setNetwork(isAvailable: true),
                .setAccount(SIPAccount(id: "ada", address: "sip:ada@example.org"), password: "secret"))
        }

        @Test func engineFollowsTheSettingOfText() async throws {
            let fixture = try SIPFixture()
            fixture.settings[text: "real-time-text"] = "never"
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.wait { fixture.launcher.engine?.configuration != nil }
            #expect(
                fixture.engine.configuration == SIPConfiguration(userAgent: "Test/1", takesText: false))
            // It changes before the engine accepts commands, and then again.
            fixture.settings[text: "real-time-text"] = "always"
            fixture.engine.say(.ready(version: SIPHelper.version))
            try await fixture.expect(
                .setTakesText(true),
                .setAccount(SIPAccount(id: "ada", address: "sip:ada@example.org"), password: "secret"))
            fixture.settings[text: "real-time-text"] = "never"
            try await fixture.expect(.setTakesText(false))
            fixture.settings.reset("real-time-text")
        }

        @Test func engineStartsAnewForDirectCallsOnceNoCallNeedsIt() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let call = try await fixture.talk()
            fixture.settings[flag: "sip-direct-calls"] = true
            await fixture.settle()
            #expect(fixture.launcher.engines.count == 1 && fixture.calls.current?.state == .connected)
            fixture.engine.say(.call(call, .ended(SIPEnd(.farEnd))))
            try await fixture.wait { fixture.launcher.engines.count == 2 }
            try await fixture.wait { fixture.engine.configuration != nil }
            #expect(
                fixture.engine.configuration
                    == SIPConfiguration(userAgent: "Test/1", acceptsDirectCalls: true))
            #expect(fixture.state() == .connecting)
            // The user changes the setting back while the engine starts.
            fixture.settings[flag: "sip-direct-calls"] = false
            fixture.engine.say(.ready(version: SIPHelper.version))
            try await fixture.wait { fixture.launcher.engines.count == 3 }
            try await fixture.ready()
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.state() == .registered }
            #expect(fixture.records.count == 1)
        }

        @Test func engineOfAnotherVersionIsNotUsed() async throws {
            let fixture = try SIPFixture()
            try fixture.configure()
            fixture.accounts.start()
            try await fixture.wait { fixture.launcher.engine?.configuration != nil }
            fixture.engine.say(.ready(version: 99))
            try await fixture.wait { !fixture.accounts.isSupported }
            #expect(fixture.clock.pending == 0 && fixture.launcher.engines.count == 1)
            guard case .failed(let reason)? = fixture.state() else { return #expect(Bool(false)) }
            #expect(reason.contains("touchtone-sip"))
        }

        @Test func missingEngineIsReported() async throws {
            let fixture = try SIPFixture()
            fixture.launcher.isAvailable = false
            try fixture.configure()
            fixture.accounts.start()
            await fixture.settle()
            #expect(!fixture.accounts.isSupported && fixture.keyring.requests.isEmpty)
            guard case .failed(let reason)? = fixture.state() else { return #expect(Bool(false)) }
            #expect(reason.hasPrefix("Calls over SIP need the program touchtone-sip"))
        }

        @Test func garbageOfEngineIsIgnored() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
            fixture.engine.write(
                Array(
                    "{}\nnonsense\n\n\u{0}\nevent\ncall\t1\nevent\tcall\t1\tunknown\n".utf8))
            for piece in stride(from: 0, to: long.count, by: 10_000) {
                fixture.engine.write(Array(long[piece..<piece + 10_000]))
                await fixture.settle()
            }
            fixture.engine.write([UInt8(ascii: "\n")])
            fixture.engine.say(.registration(account: "ada", .failed(.wrongPassword)))
            try await fixture.wait { fixture.state() != .registered }
        }

        @Test func networkChangesAndWakingReachEngine() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            fixture.network.onChange?(false)
            try await fixture.expect(.setNetwork(isAvailable: false))
            fixture.network.onChange?(true)
            try await fixture.expect(.setNetwork(isAvailable: true), .refresh)
            fixture.accounts.wakeUp()
            try await fixture.expect(.refresh)
            fixture.accounts.engine.setDevices(playback: "dock", capture: "", ringing: "")
            fixture.accounts.engine.setDevices(playback: "dock", capture: "", ringing: "")
            try await fixture.expect(.setDevices(SIPDevices(playback: "dock")))
        }
    }
}
