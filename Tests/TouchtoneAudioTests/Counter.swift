// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// A counter that any thread may increment.
final class Counter: @unchecked Sendable {  // `changed` guards all mutable state.
    private let changed = NSCondition()
    private var value = 0

    var count: Int { changed.withLock { value } }

    func add() {
        changed.withLock {
            value += 1
            changed.broadcast()
        }
    }

    /// Waits until the count is reached; false if that takes longer than a minute.
    func wait(for wanted: Int) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        changed.lock()
        defer { changed.unlock() }
        while value < wanted {
            guard changed.wait(until: end) else { return value >= wanted }
        }
        return true
    }
}
