// SPDX-License-Identifier: GPL-3.0-or-later

/// The delays with which a helper is started again, and the judgement whether it fails.
struct Restarts {
    /// The delay before the first restart; it doubles with each further one, up to `longestDelay`.
    static let shortestDelay = Duration.milliseconds(500)
    static let longestDelay = Duration.seconds(60)
    /// The time after which a helper that ends counts as the first one again.
    static let stableTime = Duration.seconds(60)
    /// The greatest time from the start to `HelperEvent.ready`.
    static let startLimit = Duration.seconds(20)

    /// The number of ends in a row of helpers that did not accept commands.
    private var failureCount = 0
    /// The number of ends in a row of helpers that accepted commands, each before `stableTime`.
    private var endCount = 0
    /// Whether a helper was ended because it did not answer, and none has worked since.
    private var hasHung = false
    private var delay = shortestDelay
    private var began = Duration.zero

    /// Whether the helper has ended more than once in a row, each time soon after its start or without accepting commands, or
    /// had to be ended because it did not answer; a single failure is repaired too soon to be worth a message.
    var isFailing: Bool { failureCount > 1 || endCount > 1 || hasHung }

    mutating func launched(at now: Duration) { began = now }

    mutating func ready() { failureCount = 0 }

    mutating func worked() { (hasHung, delay) = (false, Self.shortestDelay) }

    mutating func hung() { hasHung = true }

    mutating func stopped() { (failureCount, endCount, hasHung) = (0, 0, false) }

    /// Counts an end, and returns the delay of the next start.
    mutating func ended(at now: Duration, wasReady: Bool) -> Duration {
        if now - began >= Self.stableTime { (delay, endCount) = (Self.shortestDelay, 0) }
        if wasReady { endCount += 1 } else { failureCount += 1 }
        defer { delay = min(delay * 2, Self.longestDelay) }
        return delay
    }
}
