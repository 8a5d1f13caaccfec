// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A wall clock that stands still until it is set.
@MainActor
public final class FixedWallClock: WallClock {
    /// The current time.
    public var now: ChatTime

    /// Creates a clock that shows the given time.
    public init(_ milliseconds: Int64 = 1_315_870_461_000) { now = ChatTime(milliseconds: milliseconds) }
}

/// A generator of unique names, the same ones in each run.
@MainActor
public final class CountedNames {
    private var count = 0

    /// Creates a generator that starts at the first name.
    public init() {}

    /// Returns the next name.
    public func next() -> String {
        count += 1
        let digits = String(count)
        return "name-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
