// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
public import TouchtoneCore

/// Times as the locale writes them, in the time zone of the machine.
public struct LocaleStamps: StampFormat {
    /// Creates it.
    public init() {}

    /// Whether two moments are of the same day here.
    public func isSameDay(_ one: ChatTime, _ other: ChatTime) -> Bool {
        // Many days apart, most of them are.
        abs(one.milliseconds - other.milliseconds) < 172_800_000 && text(one)?.day == text(other)?.day
    }

    /// The hour and the minute.
    public func time(_ moment: ChatTime) -> String { text(moment)?.time ?? "" }

    /// The date, and the time to the second.
    public func dateAndTime(_ moment: ChatTime) -> String { text(moment)?.whole ?? "" }

    /// The beginning of the next day here.
    func nextDay(after moment: ChatTime) -> ChatTime? {
        LocaleTime.nextDay(seconds: moment.milliseconds / 1000).map { ChatTime(milliseconds: $0 * 1000) }
    }

    private func text(_ moment: ChatTime) -> LocaleTime? { LocaleTime(seconds: moment.milliseconds / 1000) }
}
