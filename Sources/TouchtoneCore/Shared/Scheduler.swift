// SPDX-License-Identifier: GPL-3.0-or-later

/// A clock with timers: the main loop in the app, a fake in tests.
@MainActor
public protocol Scheduler: AnyObject {
    /// The time since a fixed moment; it never decreases.
    var now: Duration { get }

    /// Calls `action` once, on the main actor, when `delay` has passed, unless the timer is cancelled before.
    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer
}

@MainActor
public protocol ScheduledTimer: AnyObject {
    /// Prevents the call; does nothing after the call.
    func cancel()
}

/// A timer that is set only while there is a deadline, so that nothing wakes the machine at rest.
@MainActor
final class DeadlineTimer {
    private let clock: any Scheduler
    private let fired: @MainActor () -> Void
    private var deadline: Duration?
    private var timer: (any ScheduledTimer)?

    init(clock: any Scheduler, fired: @escaping @MainActor () -> Void) {
        self.clock = clock
        self.fired = fired
    }

    var isSet: Bool { deadline != nil }

    /// Sets the timer for a deadline, in place of the previous one; nil cancels it.
    func set(for deadline: Duration?) {
        guard deadline != self.deadline else { return }
        timer?.cancel()
        timer = nil
        self.deadline = deadline
        guard let deadline else { return }
        timer = clock.schedule(after: max(.zero, deadline - clock.now)) { [weak self] in
            // The deadline is cleared first, so that a timer that fired a little early is set again for the rest.
            self?.deadline = nil
            self?.timer = nil
            self?.fired()
        }
    }
}
