// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

extension SIPEngineTests {
    /// Sends spoilt messages in each order of a call, for the minutes that `make fuzz-calls` wants.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["TOUCHTONE_FUZZ_MINUTES"] != nil, "make fuzz-calls"))
    func spoiltMessagesDoNotEndTheEngine() throws {
        let environment = ProcessInfo.processInfo.environment
        let minutes = environment["TOUCHTONE_FUZZ_MINUTES"].flatMap(Double.init)
        let seed = environment["TOUCHTONE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
        let end = minutes.map { Date(timeIntervalSinceNow: $0 * 60) }
        var fuzzer = try CallFuzzer()
        var round = seed
        var deaths = 0
        while end.map({ $0 > .now }) ?? (round < seed + 60), deaths < 20 {
            do {
                try fuzzer.run(round: round)
            } catch let death as CallFuzzer.Death {
                deaths += 1
                Issue.record("\(death)")
                fuzzer = try CallFuzzer()
            }
            round += 1
        }
        if minutes != nil { print("\(round - seed) rounds from seed \(seed), \(deaths) deaths") }
    }
}
