// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TouchtoneCore

/// What an engine told, in its order.
final class RecordedNotices: @unchecked Sendable {  // all that changes is behind `changed`
    private let changed = NSCondition()
    private var told: [ToneNotice] = []

    /// All of it.
    var all: [ToneNotice] { changed.withLock { told } }

    /// Takes note of one; from any thread.
    func add(_ notice: ToneNotice) {
        changed.withLock {
            told.append(notice)
            changed.broadcast()
        }
    }

    /// Waits until `count` were told; false if that takes longer than `limit` seconds.
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
