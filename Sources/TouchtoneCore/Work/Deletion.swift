// SPDX-License-Identifier: GPL-3.0-or-later

/// A deletion that can be undone until it is forgotten, whatever else is deleted meanwhile.
public struct Deletion: Hashable, Sendable {
    /// How many were deleted.
    public let count: Int
    /// A number of its own among those of its list.
    let number: Int
}

/// The deletions of a list that can still be undone.
struct Deletions<Kept> {
    private var kept: [Int: Kept] = [:]
    private var last = 0

    /// Takes note of a deletion.
    mutating func add(_ count: Int, _ value: Kept) -> Deletion {
        last += 1
        kept[last] = value
        return Deletion(count: count, number: last)
    }

    /// Takes a deletion out; nil where it has been undone or forgotten.
    mutating func take(_ deletion: Deletion) -> Kept? { kept.removeValue(forKey: deletion.number) }

    /// Puts a deletion back that could not be undone.
    mutating func put(_ deletion: Deletion, _ value: Kept) { kept[deletion.number] = value }

    /// Drops all of them; the numbers of those that follow are others.
    mutating func clear() { kept = [:] }
}
