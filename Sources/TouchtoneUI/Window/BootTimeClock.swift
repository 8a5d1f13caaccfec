// SPDX-License-Identifier: GPL-3.0-or-later

public import GtkBridge
public import TouchtoneCore

/// The time since the machine was started, that in which it was suspended included, for what has to know how long nobody
/// was there.
public final class BootTimeClock: Scheduler {
    /// Creates the clock.
    public init() {}

    /// The time since the machine was started.
    public var now: Duration { BootTimer.now }

    /// Sets a timer that fires after `delay`, or at once after the machine has resumed if the time is over by then.
    ///
    /// A delay is rounded up to a millisecond.
    public func schedule(after delay: Duration, _ action: @escaping @MainActor () -> Void)
        -> any ScheduledTimer
    {
        let (seconds, attoseconds) = delay.components
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return BootTimer(milliseconds: UInt32(clamping: milliseconds), action)
    }
}

extension BootTimer: ScheduledTimer {}
