// SPDX-License-Identifier: GPL-3.0-or-later

/// The schedule for retrying an unavailable device: a few times after a change, and then only after the next change.
struct DeviceRetry {
    /// The delays of a series of attempts in seconds: a server's socket appears slightly before the server.
    private static let delays = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]
    /// The minimum delay in seconds before an attempt caused by a press or by the keypad becoming visible.
    private static let restraint = 1.0

    private(set) var isLost = false
    private var lastTry = Instant.now
    private var nextTry: Instant?
    private var triesMade = 0

    var isDue: Bool { nextTry.map { $0.age >= 0 } ?? false }

    /// The seconds until the next attempt, or nil if none is scheduled.
    var timeout: Double? { nextTry.map { max(0, -$0.age) } }

    /// Schedules one attempt when the device is wanted, unless one is scheduled.
    mutating func recordWanted() {
        guard isLost, nextTry == nil else { return }
        triesMade = Self.delays.count
        nextTry = lastTry + Self.restraint
    }

    mutating func expectSoon() {
        triesMade = 0
        nextTry = Instant.now + Self.delays[0]
    }

    /// Records a success; returns true if the device was lost before.
    mutating func recordFound() -> Bool {
        defer { isLost = false }
        nextTry = nil
        lastTry = .now
        return isLost
    }

    /// Records a failure; returns true if it is the first.
    mutating func recordLost() -> Bool {
        lastTry = .now
        guard isLost else {
            isLost = true
            expectSoon()
            return true
        }
        if isDue {
            triesMade += 1
            nextTry = triesMade < Self.delays.count ? .now + Self.delays[triesMade] : nil
        }
        return false
    }
}
