// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// A scheduler on GLib's main loop and the monotonic clock, which stands still while the machine is suspended.
public final class MainLoopScheduler: Scheduler {
    public init() {}

    public var now: Duration { .microseconds(g_get_monotonic_time()) }

    /// Schedules an action after a delay, which is rounded up to a whole millisecond.
    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        MainLoop.after(milliseconds: delay.wholeMilliseconds, action)
    }
}

/// A scheduler on the time since boot, which includes suspension, for measuring how long the user is away.
///
/// An action whose delay ended during suspension runs right after the machine resumes. Each timer has a file descriptor
/// of its own, so other timers use `MainLoopScheduler`.
public final class BootTimeScheduler: Scheduler {
    public init() {}

    public var now: Duration { BootTimer.now }

    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        BootTimer(milliseconds: delay.wholeMilliseconds, action)
    }
}

/// The system's clock, with alarms that notice when it is set.
public final class SystemAlarmClock: AlarmClock {
    public init() {}

    public var now: ChatTime { ChatTime(milliseconds: Int64(g_get_real_time()) / 1000) }

    public func schedule(at time: ChatTime, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer {
        WallTimer(at: time.milliseconds, action)
    }
}

extension Duration {
    /// The duration rounded up to a whole millisecond.
    fileprivate var wholeMilliseconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension BootTimer: ScheduledTimer {}
extension WallTimer: ScheduledTimer {}
extension MainLoop.Timer: ScheduledTimer {}
