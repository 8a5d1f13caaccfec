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

    /// Returns the start of the next day in the system's time zone, or nil if the calendar has none.
    func nextDay(after moment: ChatTime) -> ChatTime? {
        LocaleTime.nextDay(seconds: moment.milliseconds / 1000).map { ChatTime(milliseconds: $0 * 1000) }
    }

    private func text(_ moment: ChatTime) -> LocaleTime? { LocaleTime(seconds: moment.milliseconds / 1000) }
}
