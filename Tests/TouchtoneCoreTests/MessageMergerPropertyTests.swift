// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import TouchtoneCore

@Suite struct MessageMergerPropertyTests {
    /// After any losses, repetitions, delays and resumptions, each message exists exactly once, in the archive's order,
    /// with its last reported state, corrected once, and unread until it was seen.
    @Test(arguments: Seeds.all + [11_271_544_355_789_236_851])
    func anyDeliveryOrderGivesSameMessages(_ seed: UInt64) throws {
        for run in 0..<500 {
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
