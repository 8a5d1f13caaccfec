// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore
import TouchtoneUI

/// Makes the schedule of Do Not Disturb, which follows its setting and the calls.
@MainActor
enum QuietSettings {
    private static let key = "quiet-schedule"

    static func make(_ settings: Settings, calls: CallManager, clock: any Scheduler) -> QuietHours {
        let hours = QuietHours(
            wall: SystemAlarmClock(), clock: clock, offset: { LocaleTime.offset(seconds: $0) })
        hours.follow(calls)
        // An older schema does not have it.
        guard settings.has(key) else { return hours }
        settings.follow(key) { [weak settings, weak hours] in
            guard let settings, let hours else { return }
            hours.save = nil
            if settings.isWritable(key) { hours.save = { [weak settings] in settings?[list: key] = $0 } }
            hours.texts = settings[list: key]
        }
        return hours
    }
}
