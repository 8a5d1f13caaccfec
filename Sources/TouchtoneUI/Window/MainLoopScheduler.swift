// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// A scheduler on GLib's main loop and the monotonic clock.
public final class MainLoopScheduler: Scheduler {
    /// Creates a scheduler.
    public init() {}

    /// The system's monotonic time, which excludes suspension.
    public var now: Duration { .microseconds(g_get_monotonic_time()) }

    /// Schedules an action on the main loop after a delay, which is rounded up to a whole millisecond.
    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        let (seconds, attoseconds) = delay.components
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return MainLoop.after(milliseconds: UInt32(clamping: milliseconds), action)
    }
}

extension MainLoop.Timer: ScheduledTimer {}
