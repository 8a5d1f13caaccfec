// SPDX-License-Identifier: GPL-3.0-or-later

/// A source of wall-clock time, which is not monotonic: the system’s in the program, a manual one in tests.
@MainActor
public protocol WallClock: AnyObject {
    var now: ChatTime { get }
}

/// A wall clock that calls at a time of day.
@MainActor
public protocol AlarmClock: WallClock {
    /// Calls `action` once, on the main actor, at `time`, or before that if the clock is set or the time zone changes, unless
    /// the alarm is cancelled before; at once after a time in which the machine slept.
    func schedule(at time: ChatTime, _ action: @escaping @MainActor () -> Void) -> any ScheduledTimer
}
