// SPDX-License-Identifier: GPL-3.0-or-later

/// A moment: milliseconds since the beginning of 1970 in UTC.
public struct ChatTime: Hashable, Comparable, Sendable {
    /// The milliseconds.
    public let milliseconds: Int64

    /// Takes the milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment so long before; fractions of a millisecond are left out.
    public static func - (time: ChatTime, duration: Duration) -> ChatTime {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return time }
        return ChatTime(
            milliseconds: time.milliseconds &- milliseconds.partialValue &- attoseconds
                / 1_000_000_000_000_000)
    }

    /// Orders by time.
    public static func < (left: ChatTime, right: ChatTime) -> Bool { left.milliseconds < right.milliseconds }
}

/// What time it is for people, which may go back: the system's in the program, a fake in tests.
@MainActor
public protocol WallClock: AnyObject {
    /// Now.
    var now: ChatTime { get }
}
