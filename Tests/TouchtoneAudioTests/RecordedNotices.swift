// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TouchtoneCore

/// The notices of an engine, in order.
final class RecordedNotices: @unchecked Sendable {  // `changed` guards all mutable state.
    private let changed = NSCondition()
    private var told: [ToneNotice] = []

    /// All notices.
    var all: [ToneNotice] { changed.withLock { told } }

    /// Records a notice; may be called on any thread.
    func add(_ notice: ToneNotice) {
        changed.withLock {
            told.append(notice)
            changed.broadcast()
        }
    }

    /// Waits until `count` notices were recorded; false if that takes longer than `limit` seconds.
    func wait(for count: Int, limit: Double = 60) -> Bool {
        let end = Date(timeIntervalSinceNow: limit)
        changed.lock()
        defer { changed.unlock() }
        while told.count < count {
            guard changed.wait(until: end) else { return told.count >= count }
        }
        return true
    }
}
