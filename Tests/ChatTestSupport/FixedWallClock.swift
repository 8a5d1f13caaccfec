// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A clock for people that stands until it is set.
@MainActor
public final class FixedWallClock: WallClock {
    /// What it shows.
    public var now: ChatTime

    /// Creates one.
    public init(_ milliseconds: Int64 = 1_315_870_461_000) { now = ChatTime(milliseconds: milliseconds) }
}

/// Names that nobody has given before, the same ones in each run.
@MainActor
public final class CountedNames {
    private var count = 0

    /// Creates them.
    public init() {}

    /// The next one.
    public func next() -> String {
        count += 1
        let digits = String(count)
        return "name-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
