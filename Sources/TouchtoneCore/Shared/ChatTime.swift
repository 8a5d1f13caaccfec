// SPDX-License-Identifier: GPL-3.0-or-later

/// A point in time, in milliseconds since the beginning of 1970 in UTC.
public struct ChatTime: Hashable, Comparable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the time that lies a duration earlier, in whole milliseconds.
    public static func - (time: ChatTime, duration: Duration) -> ChatTime {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return time }
        return ChatTime(
            milliseconds: time.milliseconds &- milliseconds.partialValue &- attoseconds
                / 1_000_000_000_000_000)
    }

    public static func < (left: ChatTime, right: ChatTime) -> Bool { left.milliseconds < right.milliseconds }
}
