// SPDX-License-Identifier: GPL-3.0-or-later

/// A deletion that can be undone until it is purged, regardless of later deletions.
public struct Deletion: Hashable, Sendable {
    public let count: Int
    let number: Int
}

/// The deletions of a list that can still be undone.
struct Deletions<Kept> {
    private var kept: [Int: Kept] = [:]
    private var last = 0

    mutating func add(_ count: Int, _ value: Kept) -> Deletion {
        last += 1
        kept[last] = value
        return Deletion(count: count, number: last)
    }

    /// Removes and returns a deletion; nil if it was already undone or purged.
    mutating func take(_ deletion: Deletion) -> Kept? { kept.removeValue(forKey: deletion.number) }

    /// Restores a deletion that could not be undone.
    mutating func put(_ deletion: Deletion, _ value: Kept) { kept[deletion.number] = value }

    /// Removes all deletions; their numbers are not used again.
    mutating func clear() { kept = [:] }
}
