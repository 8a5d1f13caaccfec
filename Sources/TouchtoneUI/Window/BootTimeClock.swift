// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// A scheduler on the time since boot, which includes suspension, for measuring how long the user is away.
public final class BootTimeClock: Scheduler {
    /// Creates a scheduler.
    public init() {}

    /// The time since boot.
    public var now: Duration { BootTimer.now }

    /// Schedules an action after a delay, or right after the machine resumes if the delay ended during suspension.
    ///
    /// The delay is rounded up to a whole millisecond.
    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        let (seconds, attoseconds) = delay.components
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return BootTimer(milliseconds: UInt32(clamping: milliseconds), action)
    }
}

extension BootTimer: ScheduledTimer {}
