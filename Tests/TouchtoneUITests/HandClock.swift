// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// A clock that the test advances.
@MainActor
final class HandClock: Scheduler {
    private(set) var now = Duration.zero
    private var timers: [HandTimer] = []

    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer {
        let timer = HandTimer(due: now + delay, action)
        timers.append(timer)
        return timer
    }

    /// Whether no timer is set.
    var isIdle: Bool { timers.allSatisfy { $0.action == nil } }

    /// Advances the clock, and fires the timers that are due.
    func pass(_ time: Duration) {
        now += time
        while let index = timers.firstIndex(where: { $0.due <= now }) {
            let timer = timers.remove(at: index)
            timer.action?()
        }
    }
}

/// A timer of the clock.
@MainActor
final class HandTimer: ScheduledTimer {
    let due: Duration
    fileprivate var action: (@MainActor () -> Void)?

    fileprivate init(due: Duration, _ action: @escaping @MainActor () -> Void) {
        (self.due, self.action) = (due, action)
    }

    func cancel() { action = nil }
}
