// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// Tells when another day begins where the user is: by one timer, which is set for the next midnight.
@MainActor
final class DayWatch {
    private let clock: any Scheduler
    private let wall: any WallClock
    private let changed: @MainActor () -> Void
    private let stamps = LocaleStamps()
    private var timer: (any ScheduledTimer)?
    private var isOn = false

    /// - Parameter changed: called when it may be another day.
    init(clock: any Scheduler, wall: any WallClock, changed: @escaping @MainActor () -> Void) {
        (self.clock, self.wall, self.changed) = (clock, wall, changed)
    }

    /// Watches from now on.
    func start() {
        isOn = true
        check()
    }

    /// Sets no timer any more.
    func stop() {
        isOn = false
        timer?.cancel()
    }

    /// Tells at once that it may be another day: the machine may have slept, or its clock may have been set.
    func check() {
        changed()
        timer?.cancel()
        let now = wall.now
        guard isOn, let next = stamps.nextDay(after: now) else { return }
        // An hour where the calendar gives none: a timer that is due at once would be due again and again.
        let rest = next > now ? next.milliseconds - now.milliseconds : 3_600_000
        timer = clock.schedule(after: .milliseconds(rest)) { [weak self] in self?.check() }
    }
}
