// SPDX-License-Identifier: GPL-3.0-or-later

/// The diversion of a line’s calls to another number or address, while it is turned on.
public struct Diversion: Hashable, Sendable {
    /// The calls that are diverted; the raw values are those of the settings.
    public enum Calls: String, Hashable, Sendable, CaseIterable {
        case all = "always"
        /// Calls for which there is no room.
        case busy
        /// Calls that nobody answers in time.
        case unanswered = "no-answer"
        case busyOrUnanswered = "busy-or-no-answer"
    }

    public let calls: Calls
    /// The place to which they go, as the line calls it.
    public let target: RemoteParty
    /// The time for which an unanswered call rings before.
    public let delay: Duration

    /// The times for which a call rings before it is diverted, in seconds.
    public static let delays: ClosedRange<UInt32> = 5...120
    /// The number of diversions after which a call is not diverted again, but rings: it may be going round in circles.
    public static let maximumHops = 5

    public init(of calls: Calls, to target: RemoteParty, after delay: Duration) {
        (self.calls, self.target, self.delay) = (calls, target, delay)
    }

    var includesBusy: Bool { calls != .unanswered }
    var includesUnanswered: Bool { calls == .unanswered || calls == .busyOrUnanswered }
}
