// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import Testing

extension SIPEngineTests {
    /// Tests of spoilt messages in each order of a call.
    @Suite struct CallFuzz {
        /// Runs rounds until the minutes of `make fuzz-calls` are over.
        @Test(
            .enabled(
                if: ProcessInfo.processInfo.environment["TOUCHTONE_FUZZ_MINUTES"] != nil, "make fuzz-calls"))
        func spoiltMessagesDoNotEndTheEngine() throws {
            let environment = ProcessInfo.processInfo.environment
            let minutes = environment["TOUCHTONE_FUZZ_MINUTES"].flatMap(Double.init) ?? 10
            let seed = environment["TOUCHTONE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
            let transport = environment["TOUCHTONE_FUZZ_TRANSPORT"].flatMap(SIPAccount.Transport.init) ?? .udp
            let end = Date(timeIntervalSinceNow: minutes * 60)
            var fuzzer = try CallFuzzer(over: transport)
            var round = seed
            var deaths = 0
            while .now < end, deaths < 20 {
                do {
                    try fuzzer.run(round: round)
                } catch let death as CallFuzzer.Death {
                    deaths += 1
                    Issue.record("\(death)")
                    fuzzer = try CallFuzzer(over: transport)
                }
                round += 1
            }
            print("\(round - seed) rounds from seed \(seed) over \(transport), \(deaths) deaths")
        }

        /// Runs the same few rounds each time.
        @Test(arguments: [SIPAccount.Transport.udp, .tcp])
        func someSpoiltMessagesDoNotEndTheEngine(over transport: SIPAccount.Transport) throws {
            let fuzzer = try CallFuzzer(over: transport)
            for round: UInt64 in 1...12 { try fuzzer.run(round: round) }
        }
    }
}
