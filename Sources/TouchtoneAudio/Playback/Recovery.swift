// SPDX-License-Identifier: GPL-3.0-or-later

/// When to look for a device that cannot be had: a few times after something changed, and then not until it does again.
struct Recovery {
    /// Seconds before each try of a series: a server's socket is there a little before the server is.
    private static let delays = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]
    /// The least time before a try that a press or the keypad's return causes, in seconds.
    private static let restraint = 1.0

    /// Whether the last try failed.
    private(set) var isLost = false
    private var lastTry = Instant.now
    private var nextTry: Instant?
    private var triesMade = 0

    /// Whether it is time to look for the device.
    var isDue: Bool { nextTry.map { $0.age >= 0 } ?? false }

    /// The seconds until the next try; nil if none is planned.
    var timeout: Double? { nextTry.map { max(0, -$0.age) } }

    /// Takes note of somebody who wants the device: it is looked for once, if nothing is planned.
    mutating func noteWanted() {
        guard isLost, nextTry == nil else { return }
        triesMade = Self.delays.count
        nextTry = lastTry + Self.restraint
    }

    /// Takes note of a change that may have brought the device back.
    mutating func expectSoon() {
        triesMade = 0
        nextTry = Instant.now + Self.delays[0]
    }

    /// Takes note of the device; true if it was lost before.
    mutating func noteFound() -> Bool {
        defer { isLost = false }
        nextTry = nil
        lastTry = .now
        return isLost
    }

    /// Takes note of a failure; true if it is the first.
    mutating func noteLost() -> Bool {
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
