// SPDX-License-Identifier: GPL-3.0-or-later

/// How long to wait before each new attempt: from 1 to 2 seconds, doubling, up to 1 to 2 minutes.
///
/// The chance in it keeps all of a server's users from coming back in the same second.
public struct Backoff: Sendable {
    private var attempts = 0

    /// Starts from the shortest time.
    public init() {}

    /// The time before the next attempt.
    public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let maximum = min(120_000, 2000 << min(attempts, 10))
        attempts += 1
        return .milliseconds(Int.random(in: maximum / 2...maximum, using: &random))
    }

    /// Starts anew.
    public mutating func reset() { attempts = 0 }
}
