// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests that the engine of a phone which runs for weeks does not grow with what it does.
    @Suite struct Memory {
        private let engine: EngineProcess

        init() throws { engine = try EngineProcess() }

        @Test func changedDevicesTakeNoMemory() throws {
            try expectNoGrowth(rounds: 600) {
                engine.send(.setDevices(SIPDevices(playback: "speaker \($0)", capture: "microphone \($0)")))
                engine.send(.heartbeat($0))
                #expect(engine.wait(for: .heartbeat($0)))
            }
        }

        @Test func addressesTakeNoMemory() throws {
            let registrar = try ScriptedRegistrar()
            #expect(engine.register(at: registrar))
            try expectNoGrowth(rounds: 600) {
                let id = SIPCallID(rawValue: 2 * $0)
                // Over UDP, the call ends before anything is sent, so that no transaction is left.
                let address = "sips:user-\($0)@127.0.0.1;a=1;b=2;c=3;d=4;e=5;f=6;g=7;h=8"
                engine.send(.call(id, .dial(account: "alice", address: address)))
                #expect(engine.waitForEnd(of: id)?.status == 416)
            }
        }

        /// Checks that memory hardly grows in a number of rounds, after as many as it takes to fill the allocator's caches.
        private func expectNoGrowth(rounds: Int, _ body: (Int) throws -> Void) throws {
            for round in 1...100 { try body(round) }
            let before = try used()
            for round in 101...100 + rounds { try body(round) }
            let grown = try used() - before
            #expect(grown < 384, "\(grown) KiB in \(rounds) rounds")
        }

        /// The process's anonymous memory, in KiB.
        private func used() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(engine.processID)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    }
}
