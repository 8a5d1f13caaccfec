// SPDX-License-Identifier: GPL-3.0-or-later

/// A formatter for times in the user’s language.
@MainActor
public protocol StampFormat {
    /// Returns whether two times are on the same day in the user’s time zone.
    func isSameDay(_ one: ChatTime, _ other: ChatTime) -> Bool
    /// Returns the time only, such as “7:34:21 PM”.
    func time(_ moment: ChatTime) -> String
    /// Returns the date and the time, such as “Sep 12, 2011 7:34:21 PM”.
    func dateAndTime(_ moment: ChatTime) -> String
}

/// The line above a message, with its sender and time.
public struct Stamp: Hashable, Sendable {
    /// The sender and the time, with the date unless that is today.
    public let text: String
    /// The sender, the date and the time.
    public let full: String

    /// Creates a line that tells no time.
    public init(_ text: String) { (self.text, full) = (text, text) }

    /// - Parameter sender: “you”, or the buddy’s name.
    @MainActor
    public init(sender: String, moment: ChatTime, now: ChatTime, format: any StampFormat) {
        full = localizedRow([sender, format.dateAndTime(moment)])
        text = format.isSameDay(moment, now) ? localizedRow([sender, format.time(moment)]) : full
    }
}
