// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
public import TouchtoneCore

/// Times in the format of the locale and in the time zone of the system.
public struct LocaleStamps: StampFormat {
    public init() {}

    public func isSameDay(_ one: ChatTime, _ other: ChatTime) -> Bool {
        // Most times are many days apart, so compare the calendar days only if the times are close.
        abs(one.milliseconds - other.milliseconds) < 172_800_000 && text(one)?.day == text(other)?.day
    }

    public func time(_ moment: ChatTime) -> String { text(moment)?.time ?? "" }

    public func dateAndTime(_ moment: ChatTime) -> String { text(moment)?.whole ?? "" }

    /// Returns the number of a moment's day in the system's time zone; it is one more on the next day.
    func day(of moment: ChatTime) -> Int {
        let offset = LocaleTime.offset(seconds: moment.milliseconds / 1000)
        let (day, rest) = (Int(moment.milliseconds) + offset * 1000).quotientAndRemainder(
            dividingBy: 86_400_000)
        return rest < 0 ? day - 1 : day
    }

    /// Returns the name of a moment's day: “Today”, “Yesterday” or its date.
    func dayName(of moment: ChatTime, now: ChatTime) -> String {
        switch day(of: now) - day(of: moment) {
        case 0: localized("Today")
        case 1: localized("Yesterday")
        default: text(moment)?.date ?? ""
        }
    }

    /// Returns the time of a moment today, the weekday of one in the last six days, or else the date.
    func short(_ moment: ChatTime, now: ChatTime) -> String {
        guard !isSameDay(moment, now) else { return time(moment) }
        let isThisWeek = (0..<518_400_000).contains(now.milliseconds - moment.milliseconds)
        let seconds = moment.milliseconds / 1000
        return isThisWeek ? LocaleTime.weekday(seconds: seconds) : LocaleTime.shortDate(seconds: seconds)
    }

    /// Returns the start of the next day in the system's time zone, or nil if the calendar has none.
    func nextDay(after moment: ChatTime) -> ChatTime? {
        LocaleTime.nextDay(seconds: moment.milliseconds / 1000).map { ChatTime(milliseconds: $0 * 1000) }
    }

    private func text(_ moment: ChatTime) -> LocaleTime? { LocaleTime(seconds: moment.milliseconds / 1000) }
}
