// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import Glibc

/// A moment of the monotonic clock, with a resolution of a millisecond.
struct Instant: Comparable {
    private let milliseconds: Int

    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(milliseconds: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
    }

    func advanced(by milliseconds: Int) -> Instant { Instant(milliseconds: self.milliseconds + milliseconds) }

    func milliseconds(until later: Instant) -> Int { later.milliseconds - milliseconds }

    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}
