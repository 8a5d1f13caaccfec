// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A moment of CLOCK_MONOTONIC, in seconds.
///
/// The standard library's clocks go through the concurrency runtime.
struct Instant: Comparable {
    private let seconds: Double

    /// This moment.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(seconds: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    }

    /// The seconds that have gone by since the moment.
    var age: Double { Instant.now - self }

    static func - (later: Instant, earlier: Instant) -> Double { later.seconds - earlier.seconds }
    static func + (instant: Instant, seconds: Double) -> Instant {
        Instant(seconds: instant.seconds + seconds)
    }
    static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
}
