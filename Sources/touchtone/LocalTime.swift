// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The user's local time.
@MainActor
enum LocalTime {
    /// Returns the current time, or midnight if the system does not report it.
    static func now() -> TimeOfDay {
        guard let now = g_date_time_new_now_local() else {
            return TimeOfDay(hour: 0, minute: 0, second: .zero)
        }
        defer { g_date_time_unref(now) }
        return TimeOfDay(
            hour: Int(g_date_time_get_hour(now)), minute: Int(g_date_time_get_minute(now)),
            second: .seconds(g_date_time_get_seconds(now)))
    }
}
