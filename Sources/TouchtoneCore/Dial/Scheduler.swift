// SPDX-License-Identifier: GPL-3.0-or-later

/// The time, and a call when some of it has passed: the window's main loop in the program, a fake in tests.
@MainActor
public protocol Scheduler: AnyObject {
    /// The time since any fixed moment; it never goes back.
    var now: Duration { get }

    /// Calls `action` once, on the main actor, when `delay` has passed, unless the timer is cancelled before.
    func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer
}

/// A call that a `Scheduler` was asked for.
@MainActor
public protocol ScheduledTimer: AnyObject {
    /// Prevents the call. After the call it does nothing.
    func cancel()
}

/// One timer, set only while there is a deadline: at rest nothing wakes the machine.
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

    /// Whether it is set.
    var isSet: Bool { deadline != nil }

    /// Sets the timer for a deadline, in place of the one it was set for; nil is none.
    func set(for deadline: Duration?) {
        guard deadline != self.deadline else { return }
        timer?.cancel()
        timer = nil
        self.deadline = deadline
        guard let deadline else { return }
        timer = clock.schedule(after: max(.zero, deadline - clock.now)) { [weak self] in
            // Forgotten first: a timer that fired a little early is then set again for the rest.
            self?.deadline = nil
            self?.timer = nil
            self?.fired()
        }
    }
}
