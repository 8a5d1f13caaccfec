// SPDX-License-Identifier: GPL-3.0-or-later

/// The delays before reconnection attempts: 1 to 2 seconds at first, doubling up to 1 to 2 minutes.
///
/// The first attempt after a connection that worked is cut comes within a fifth of a second: most cuts concern only that
/// connection. The delays are random, so that a server's users do not all reconnect in the same second.
struct Backoff: Sendable {
    private var attempts = 0
    private var isCut = false

    /// Returns the delay before the next attempt, and doubles the one after it.
    mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        guard !isCut else {
            isCut = false
            return .milliseconds(Int.random(in: 0...200, using: &random))
        }
        let maximum = min(120_000, 2000 << min(attempts, 10))
        attempts += 1
        return .milliseconds(Int.random(in: maximum / 2...maximum, using: &random))
    }

    mutating func reset() { (attempts, isCut) = (0, false) }

    /// Restarts with one attempt almost at once, because a connection that worked was cut.
    mutating func resetAfterCut() { (attempts, isCut) = (0, true) }
}
