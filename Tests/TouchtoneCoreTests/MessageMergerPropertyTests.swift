// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing

@testable import TouchtoneCore

@Suite struct MessageMergerPropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds: [UInt64] = [
        1, 2, 3, 78_616_400, 11_271_544_355_789_236_851, 10_513_698_871_438_237_291,
        UInt64(environment["TOUCHTONE_SEED"] ?? "") ?? 4,
    ]
    private static let runs = Int(environment["TOUCHTONE_RUNS"] ?? "") ?? 500

    /// After any losses, repetitions, delays and resumptions, each message exists exactly once, in the archive's order,
    /// with its last reported state, corrected once, and unread until it was seen.
    ///
    /// The seeds are fixed. Set `TOUCHTONE_SEED` to try other sequences, and `TOUCHTONE_RUNS` to try more than 500 of
    /// each.
    @Test(arguments: Self.seeds)
    func anyDeliveryOrderGivesSameMessages(_ seed: UInt64) throws {
        for run in 0..<Self.runs {
            let modelSeed = seed &+ UInt64(run) &* 0x9E37
            var model = ChatModel(seed: modelSeed)
            for _ in 0..<model.number(10...90) { model.step() }
            model.settle()
            model.check()
            try model.checkOrder()
            guard model.problems.isEmpty else {
                Issue.record("ChatModel(seed: \(modelSeed)): \(model.problems[0])")
                return
            }
        }
    }
}
