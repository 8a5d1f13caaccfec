// SPDX-License-Identifier: GPL-3.0-or-later

import HelperSupport

/// The packets of a call that had found a way: if none comes any more, not even one of a check, the way is lost.
struct Arrivals {
    /// The packets that had come at the last look.
    private var count: UInt32 = 0
    private var since = Instant.now

    /// The time without a packet after which the way is lost, in milliseconds; for tests, that of `TOUCHTONE_SIP_LOSS`.
    private static let limit = environment("TOUCHTONE_SIP_LOSS").flatMap { Int($0) } ?? 20_000

    /// Looks at the packets of a call; returns whether the way is lost.
    ///
    /// While somebody holds the call, that is not known: one end may send nothing, and the other may read nothing.
    mutating func hasLostWay(_ count: UInt32, isHeld: Bool) -> Bool {
        if count != self.count || isHeld { (self.count, since) = (count, .now) }
        return since.milliseconds(until: .now) >= Self.limit
    }
}
