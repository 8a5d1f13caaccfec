// SPDX-License-Identifier: GPL-3.0-or-later

/// The positions of the rows of a list; those not measured yet have the average height of the first measured.
struct RowHeights<ID: Hashable> {
    /// The IDs of the rows, from the top.
    private(set) var ids: [ID] = []
    private var indices: [ID: Int] = [:]
    /// The height of each row in pixels; nil if it has not been measured.
    private var measured: [Int?] = []
    private var (sum, count) = (0, 0)
    /// The assumed height of an unmeasured row, in pixels; it soon stays the same, so that rows do not move.
    private(set) var guess: Int
    /// The top of each row and the bottom of the last one, in pixels; empty after a change.
    private var edges: [Int] = []

    init(firstGuess: Int) {
        guess = firstGuess
    }

    /// Replaces the rows, and keeps the measured heights of those that remain.
    mutating func set(_ ids: [ID]) {
        let (before, known) = (indices, measured)
        self.ids = ids
        indices = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
        measured =
            count == 0
            ? Array(repeating: nil, count: ids.count) : ids.map { before[$0].flatMap { known[$0] } }
        (sum, count) = measured.reduce((0, 0)) { ($0.0 + ($1 ?? 0), $0.1 + ($1 == nil ? 0 : 1)) }
        edges = []
    }

    func index(of id: ID) -> Int? { indices[id] }

    /// Records the measured height of a row, in pixels.
    mutating func note(_ height: Int, of id: ID) {
        guard let index = indices[id], measured[index] != height else { return }
        forget(id)
        measured[index] = height
        (sum, count) = (sum + height, count + 1)
        if count <= 16 { guess = max(1, sum / count) }
        edges = []
    }

    func isMeasured(_ id: ID) -> Bool { indices[id].flatMap { measured[$0] } != nil }

    /// Discards the height of a row whose contents have changed.
    mutating func forget(_ id: ID) {
        guard let index = indices[id], let old = measured[index] else { return }
        measured[index] = nil
        (sum, count) = (sum - old, count - 1)
        edges = []
    }

    /// Discards all heights, because the width of the rows has changed.
    mutating func forgetAll() {
        measured = Array(repeating: nil, count: ids.count)
        (sum, count) = (0, 0)
        edges = []
    }

    /// Returns the height of all rows together, in pixels.
    mutating func total() -> Int {
        ensureEdges()
        return edges[ids.count]
    }

    /// Returns the top of the row at an index, in pixels; for the number of rows, the bottom of the last row.
    mutating func top(of index: Int) -> Int {
        ensureEdges()
        return edges[index]
    }

    /// Returns the index of the row at a position in pixels, or of the nearest row; nil if there are no rows.
    mutating func index(at y: Int) -> Int? {
        guard !ids.isEmpty else { return nil }
        ensureEdges()
        var (low, high) = (0, ids.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= y { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func ensureEdges() {
        guard edges.isEmpty else { return }
        edges.reserveCapacity(ids.count + 1)
        var y = 0
        for height in measured {
            edges.append(y)
            y += height ?? guess
        }
        edges.append(y)
    }
}
