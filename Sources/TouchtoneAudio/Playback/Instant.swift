// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A point in time of CLOCK_MONOTONIC, in seconds; the standard clocks use the concurrency runtime.
struct Instant: Comparable {
    private let seconds: Double

    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(seconds: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    }

    /// The seconds since this point in time.
    var age: Double { Instant.now - self }

    static func - (later: Instant, earlier: Instant) -> Double { later.seconds - earlier.seconds }
    static func + (instant: Instant, seconds: Double) -> Instant {
        Instant(seconds: instant.seconds + seconds)
    }
    static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
}
