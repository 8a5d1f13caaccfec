// SPDX-License-Identifier: GPL-3.0-or-later

import ChatTestSupport
import GLibBridge
import HelperMessages
import SIPMessages
import TestSupport
import Testing
import TouchtoneCore
import TouchtoneHelpers

@testable import TouchtoneEngine
@testable import TouchtoneSIP

extension SIPAccountsTests {
    /// Tests of what an engine in the hands of an attacker can send to the phone.
    @Suite @MainActor struct HostileEngineTests {
        /// A hostile engine reports calls without end, and the end of none that was refused.
        @Test func refusedCallsAreNotKept() async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            let ids = (0..<100).map { SIPCallID(rawValue: $0 * 2 + 1) }
            let caller = SIPParty(address: "sip:7@b.example")
            for id in ids { fixture.engine.say(.call(id, .incoming(account: "nobody", caller: caller))) }
            for id in ids { fixture.engine.say(.call(id, .incoming(account: "ada", caller: caller))) }
            for id in ids.prefix(IncomingLimit.burst) {
                fixture.engine.say(.call(id, .ended(SIPEnd(.farEnd))))
            }
            try await fixture.wait { fixture.records.count == IncomingLimit.burst }
            // Calls would keep the engine from being replaced.
            fixture.settings[flag: "sip-direct-calls"] = true
            try await fixture.wait { fixture.launcher.engines.count == 2 }
        }

        /// Any bytes leave the phone with calls that can be ended, and with an engine that it uses.
        @Test(arguments: Seeds.all) func damagedLinesDoNoHarm(seed: UInt64) async throws {
            let fixture = try SIPFixture()
            try await fixture.register()
            var random = SplitMix64(seed: seed)
            let party = SIPParty(address: "sip:7@b.example", displayName: "\u{202e}x")
            for _ in 0..<300 {
                let id = SIPCallID(rawValue: Int.random(in: 1...12, using: &random))
                let events: [SIPEvent] = [
                    .registration(account: "ada", .failed(.refused(status: 500, text: "x"))),
                    .registration(account: "ada", .registered),
                    .relay(account: "ada", .refused(status: 400)),
                    .call(id, .incoming(account: "ada", caller: party)), .call(id, .answered),
                    .call(id, .farEndChanged(party)),
                    .call(id, .quality(SIPQuality(loss: 1e300, jitter: -1))),
                    .call(id, .ended(SIPEnd(.farEnd, status: .max, cause: .min))),
                ]
                let messages = events.map { HelperEvent<SIPHelper>.event($0) } + [.heartbeat(1)]
                let message = try #require(messages.randomElement(using: &random))
                var line = try #require(MessageCoding.line(for: message))
                if Bool.random(using: &random) {
                    let place = Int.random(in: line.indices, using: &random)
                    line[place] = UInt8.random(in: 0...255, using: &random)
                }
                fixture.engine.write(line)
                if Int.random(in: 0..<10, using: &random) == 0 { await fixture.settle() }
            }
            // A damaged line may have swallowed the next one, or have another id of two digits.
            fixture.engine.write(Array("\n".utf8))
            for id in 0...99 { fixture.engine.say(.call(SIPCallID(rawValue: id), .ended(SIPEnd(.farEnd)))) }
            fixture.engine.say(.registration(account: "ada", .registered))
            try await fixture.wait { fixture.calls.calls.isEmpty && fixture.state() == .registered }
            #expect(fixture.accounts.engine.isReady && fixture.launcher.engines.count == 1)
        }
    }
}
