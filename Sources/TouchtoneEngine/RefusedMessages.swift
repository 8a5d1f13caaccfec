// SPDX-License-Identifier: GPL-3.0-or-later

/// The messages of which engines have died, which later ones drop: they would die of them, too, as often as they come.
struct RefusedMessages {
    static let maximumCount = 64

    /// The fingerprints of the messages, the latest last.
    private(set) var fingerprints: [Int] = []

    /// Adds a message, and drops the earliest one of too many.
    mutating func add(_ message: Int) {
        fingerprints.removeAll { $0 == message }
        fingerprints = fingerprints.suffix(Self.maximumCount - 1) + [message]
    }
}
