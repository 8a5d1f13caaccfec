// SPDX-License-Identifier: GPL-3.0-or-later

/// A limit on incoming calls: a flood must neither ring without end nor fill the history.
public struct IncomingLimit: Sendable {
    /// The number of calls that may come at once.
    public static let burst = 10
    /// The time after which one more may come.
    public static let interval = Duration.seconds(3)

    private var count = 0
    private var since = Duration.zero

    public init() {}

    /// Returns whether a call at that time is within the limit, and counts it if so.
    public mutating func admits(at time: Duration) -> Bool {
        while count > 0, time - since >= Self.interval {
            count -= 1
            since = count > 0 ? since + Self.interval : time
        }
        guard count < Self.burst else { return false }
        if count == 0 { since = time }
        count += 1
        return true
    }
}
