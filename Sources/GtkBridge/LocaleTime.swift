// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Moments formatted for the user's locale and time zone.
public struct LocaleTime {
    private let seconds: Int64

    /// Creates a moment, in seconds since 1970-01-01 UTC, or returns nil if it is outside the calendar.
    public init?(seconds: Int64) {
        guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return nil }
        g_date_time_unref(moment)
        self.seconds = seconds
    }

    /// The hour and the minute: `7:34 PM`, `19:34`.
    public var time: String { Self.format(seconds: seconds, Self.timeFormat(seconds: false)) }
    /// The date and the time to the second: `Sep 12, 2011 7:34:21 PM`, `12 Sep 2011 19:34:21`.
    public var whole: String {
        Self.format(seconds: seconds, Self.dateFormat + " " + Self.timeFormat(seconds: true))
    }
    /// The day, for comparisons: `2011-09-12`.
    public var day: String { Self.format(seconds: seconds, Self.dayFormat) }
    /// The date: `Sep 12, 2011`, `12 Sep 2011`.
    public var date: String { Self.format(seconds: seconds, Self.dateFormat) }

    /// Returns the abbreviated day of the week: `Mon`.
    public static func weekday(seconds: Int64) -> String { format(seconds: seconds, "%a") }

    /// Returns the name of a day of the week, counted from Monday: `Monday` is 0.
    public static func weekday(_ day: Int) -> String {
        // 5 January 1970 was a Monday.
        guard let moment = g_date_time_new_utc(1970, 1, 5 + gint(day), 12, 0, 0) else { return "" }
        defer { g_date_time_unref(moment) }
        return format(moment, "%A")
    }

    /// Returns the date in numbers: `09/12/11`, `12.09.2011`.
    public static func shortDate(seconds: Int64) -> String { format(seconds: seconds, "%x") }

    private static func format(seconds: Int64, _ text: String) -> String {
        guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return "" }
        defer { g_date_time_unref(moment) }
        return format(moment, text)
    }

    /// Returns the day before a moment's day, for comparison with `day`.
    public static func dayBefore(seconds: Int64) -> String? {
        guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return nil }
        defer { g_date_time_unref(moment) }
        guard let before = g_date_time_add_days(moment, -1) else { return nil }
        defer { g_date_time_unref(before) }
        return format(before, dayFormat)
    }

    /// Returns the beginning of the day after a moment's day, in seconds since 1970-01-01 UTC.
    public static func nextDay(seconds: Int64) -> Int64? {
        guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return nil }
        defer { g_date_time_unref(moment) }
        guard let after = g_date_time_add_days(moment, 1) else { return nil }
        defer { g_date_time_unref(after) }
        var (year, month, day): (gint, gint, gint) = (0, 0, 0)
        g_date_time_get_ymd(after, &year, &month, &day)
        guard let midnight = g_date_time_new_local(year, month, day, 0, 0, 0) else { return nil }
        defer { g_date_time_unref(midnight) }
        return Int64(g_date_time_to_unix(midnight))
    }

    /// Returns the offset of the local time from UTC at a moment, in seconds.
    public static func offset(seconds: Int64) -> Int {
        guard let moment = g_date_time_new_from_unix_local(gint64(seconds)) else { return 0 }
        defer { g_date_time_unref(moment) }
        return Int(g_date_time_get_utc_offset(moment) / 1_000_000)
    }

    private static let dayFormat = "%F"

    private static func format(_ moment: OpaquePointer, _ format: String) -> String {
        guard let text = g_date_time_format(moment, format) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// GLib knows only the locale's short date; the longer one uses the same order.
    private static var dateFormat: String {
        switch langinfo(D_FMT).first(where: { "mdeYy".contains($0) }) {
        case "m": "%b %-e, %Y"
        case "Y", "y": "%Y %b %-e"
        default: "%-e %b %Y"
        }
    }

    private static func timeFormat(seconds: Bool) -> String {
        let format = langinfo(T_FMT)
        let isHalved = ["%r", "%p", "%I", "%l"].contains(where: format.contains)
        return (isHalved ? "%-I" : "%H") + ":%M" + (seconds ? ":%S" : "") + (isHalved ? " %p" : "")
    }

    private static func langinfo(_ item: Int) -> String {
        nl_langinfo(nl_item(item)).map { String(cString: $0) } ?? ""
    }
}
