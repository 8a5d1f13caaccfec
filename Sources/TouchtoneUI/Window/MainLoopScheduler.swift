// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The main loop's time, for the phone.
public final class MainLoopScheduler: Scheduler {
    /// Creates the clock.
    public init() {}

    /// The machine's monotonic time.
    public var now: Duration { .microseconds(g_get_monotonic_time()) }

    /// Sets a timer of the main loop; a delay is rounded up to a millisecond.
    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        let (seconds, attoseconds) = delay.components
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return MainLoop.after(milliseconds: UInt32(clamping: milliseconds), action)
    }
}

extension MainLoop.Timer: ScheduledTimer {}
