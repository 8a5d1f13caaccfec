// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A wall clock with alarms, which a test sets.
@MainActor
public final class ManualAlarmClock: AlarmClock {
    public private(set) var now: ChatTime

    private var alarms: [Alarm] = []

    /// Creates a clock that shows a time in seconds since 1970.
    public init(seconds: Int64) { now = ChatTime(milliseconds: seconds * 1000) }

    /// The times of the alarms that are set, in seconds since 1970.
    public var times: [Int64] { alarms.filter { !$0.isCancelled }.map { $0.time.milliseconds / 1000 } }

    public func schedule(
        at time: ChatTime, _ action: @escaping @MainActor () -> Void
    ) -> any ScheduledTimer {
        let alarm = Alarm(time: time, action: action)
        alarms.append(alarm)
        return alarm
    }

    /// Lets the time go on to a number of seconds since 1970, with the alarms on the way.
    public func advance(to seconds: Int64) {
        while let next = alarms.filter({ !$0.isCancelled && $0.time.milliseconds <= seconds * 1000 })
            .min(by: { $0.time < $1.time })
        {
            now = max(now, next.time)
            fire(next)
        }
        now = ChatTime(milliseconds: seconds * 1000)
    }

    /// Sets the clock, which all alarms notice.
    public func set(to seconds: Int64) {
        now = ChatTime(milliseconds: seconds * 1000)
        for alarm in alarms where !alarm.isCancelled { fire(alarm) }
    }

    private func fire(_ alarm: Alarm) {
        alarms.removeAll { $0 === alarm || $0.isCancelled }
        alarm.action()
    }

    @MainActor
    private final class Alarm: ScheduledTimer {
        let time: ChatTime
        let action: @MainActor () -> Void
        private(set) var isCancelled = false

        init(time: ChatTime, action: @escaping @MainActor () -> Void) {
            (self.time, self.action) = (time, action)
        }

        func cancel() { isCancelled = true }
    }
}
