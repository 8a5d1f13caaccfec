// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A scheduler whose time passes only when the test advances it.
@MainActor
public final class ManualScheduler: Scheduler {
    /// The current time, which does not start at zero, so that a test notices a moment taken for a duration.
    public private(set) var now = Duration.seconds(100)

    /// The number of timers that have fired.
    public private(set) var firedCount = 0

    private var timers: [ManualTimer] = []

    /// Creates a scheduler without timers.
    public init() {}

    /// The number of timers that are set.
    public var pending: Int { timers.count { !$0.isCancelled } }

    /// The time until the next timer fires, or nil if none is set.
    public var nextDelay: Duration? { timers.filter { !$0.isCancelled }.map { $0.deadline - now }.min() }

    /// Sets a timer.
    public func schedule(
        after delay: Duration, _ action: @escaping @MainActor () -> Void
    ) -> any ScheduledTimer {
        let timer = ManualTimer(deadline: now + delay, action: action)
        timers.append(timer)
        return timer
    }

    /// Advances the time, and fires the timers that are due, in the order of their deadlines.
    public func advance(by time: Duration) {
        let end = now + time
        while let next = timers.filter({ !$0.isCancelled && $0.deadline <= end }).min(by: {
            $0.deadline < $1.deadline
        }) {
            timers.removeAll { $0 === next || $0.isCancelled }
            now = max(now, next.deadline)
            firedCount += 1
            next.action()
        }
        now = end
    }
}

@MainActor
private final class ManualTimer: ScheduledTimer {
    let deadline: Duration
    let action: @MainActor () -> Void
    private(set) var isCancelled = false

    init(deadline: Duration, action: @escaping @MainActor () -> Void) {
        self.deadline = deadline
        self.action = action
    }

    func cancel() { isCancelled = true }
}
