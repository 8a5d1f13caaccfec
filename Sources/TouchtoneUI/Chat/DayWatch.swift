// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Reports the start of a new day in the user's time zone, with one timer that is set for the next midnight.
@MainActor
final class DayWatch {
    private let clock: any Scheduler
    private let wall: any WallClock
    private let changed: @MainActor () -> Void
    private let stamps = LocaleStamps()
    private var timer: (any ScheduledTimer)?
    private var isOn = false

    /// - Parameter changed: Called when the day may have changed.
    init(clock: any Scheduler, wall: any WallClock, changed: @escaping @MainActor () -> Void) {
        (self.clock, self.wall, self.changed) = (clock, wall, changed)
    }

    func start() {
        isOn = true
        check()
    }

    func stop() {
        isOn = false
        timer?.cancel()
    }

    /// Reports a possible change of the day: the computer may have slept, or its clock may have been set.
    func check() {
        changed()
        timer?.cancel()
        let now = wall.now
        guard isOn, let next = stamps.nextDay(after: now) else { return }
        // Wait an hour if the next midnight is not in the future: a timer that is due at once would fire in a loop.
        let rest = next > now ? next.milliseconds - now.milliseconds : 3_600_000
        timer = clock.schedule(after: .milliseconds(rest)) { [weak self] in self?.check() }
    }
}
