// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Locks the phone when it is idle, and when the desktop is locked.
///
/// Observation starts when a passcode is set, so that it costs nothing before.
@MainActor
final class LockTriggers {
    private let idle: IdleLock
    private let settings: Settings
    private var desktop: DesktopLock?

    init(lock: Lock, settings: Settings, clock: any Scheduler) {
        idle = IdleLock(lock: lock, clock: clock)
        self.settings = settings
        lock.observe(by: self) { [weak self, weak lock] in
            if let lock, lock.isSet, self?.desktop == nil { self?.begin(lock) }
        }
    }

    /// Suspends the idle lock during calls, in which the phone is in use without input.
    func setInCall(_ isInCall: Bool) { idle.isInUse = isInCall }

    private func begin(_ lock: Lock) {
        desktop = DesktopLock { [weak lock] in _ = lock?.lock() }
        InputWatch.follow(idle) { [weak idle] in idle?.recordInput() }
        settings.follow("lock-after") { [weak self] in
            guard let self else { return }
            let minutes = settings[count: "lock-after"]
            idle.limit = minutes > 0 ? .seconds(60 * Int(minutes)) : nil
        }
    }
}
