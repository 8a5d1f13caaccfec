// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes times as the user's language does.
@MainActor
public protocol StampFormat {
    /// Whether two moments are of the same day where the user is.
    func isSameDay(_ one: ChatTime, _ other: ChatTime) -> Bool
    /// The time alone, such as “7:34:21 PM”.
    func time(_ moment: ChatTime) -> String
    /// The date and the time, such as “Sep 12, 2011 7:34:21 PM”.
    func dateAndTime(_ moment: ChatTime) -> String
}

/// The line above a message: who wrote it, and when.
public struct Stamp: Hashable, Sendable {
    /// Who, and the time: of today's messages alone, of others with the date.
    public let text: String
    /// Who, and the date and the time.
    public let full: String

    /// Writes it.
    ///
    /// - Parameter sender: “you”, or what the buddy is called.
    @MainActor
    public init(sender: String, moment: ChatTime, now: ChatTime, format: any StampFormat) {
        full = "\(sender) \(format.dateAndTime(moment))"
        text = format.isSameDay(moment, now) ? "\(sender) \(format.time(moment))" : full
    }
}
