// SPDX-License-Identifier: GPL-3.0-or-later

/// A moment: milliseconds since the beginning of 1970 in UTC.
public struct ChatTime: Hashable, Comparable, Sendable {
    /// The milliseconds.
    public let milliseconds: Int64

    /// Takes the milliseconds.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Orders by time.
    public static func < (left: ChatTime, right: ChatTime) -> Bool { left.milliseconds < right.milliseconds }
}

/// What time it is for people, which may go back: the system's in the program, a fake in tests.
@MainActor
public protocol WallClock: AnyObject {
    /// Now.
    var now: ChatTime { get }
}
