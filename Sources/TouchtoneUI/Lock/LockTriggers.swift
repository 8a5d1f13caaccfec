// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// Locks the phone when nobody uses it, and when the desktop locks itself.
///
/// Nothing of it is there before a passcode is set.
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

    /// Somebody talks, who is using the phone, or no longer does.
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
