// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the rows of a list are, of which only some have been measured: the others are taken to be as high as the first
/// of those were on the average.
struct RowHeights<ID: Hashable> {
    /// The rows, from the top.
    private(set) var ids: [ID] = []
    private var indices: [ID: Int] = [:]
    /// How high each row is; nothing where that was not measured.
    private var measured: [Int?] = []
    private var (sum, count) = (0, 0)
    /// How high a row that was not measured is taken to be.
    ///
    /// It settles early, so that the others keep their places.
    private(set) var guess: Int
    /// Where each row begins, and where the last one ends; empty when something has changed.
    private var edges: [Int] = []

    init(firstGuess: Int) {
        guess = firstGuess
    }

    /// Has other rows; what was measured of those that stay is kept.
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

    /// Where a row stands in the list.
    func index(of id: ID) -> Int? { indices[id] }

    /// Notes how high a row is.
    mutating func note(_ height: Int, of id: ID) {
        guard let index = indices[id], measured[index] != height else { return }
        forget(id)
        measured[index] = height
        (sum, count) = (sum + height, count + 1)
        if count <= 16 { guess = max(1, sum / count) }
        edges = []
    }

    /// Whether a row has been measured as it is.
    func isMeasured(_ id: ID) -> Bool { indices[id].flatMap { measured[$0] } != nil }

    /// A row is another one now, and is to be measured again.
    mutating func forget(_ id: ID) {
        guard let index = indices[id], let old = measured[index] else { return }
        measured[index] = nil
        (sum, count) = (sum - old, count - 1)
        edges = []
    }

    /// All rows have another width now.
    mutating func forgetAll() {
        measured = Array(repeating: nil, count: ids.count)
        (sum, count) = (0, 0)
        edges = []
    }

    /// How high all are together.
    mutating func total() -> Int {
        ensureEdges()
        return edges[ids.count]
    }

    /// Where the row at an index begins; for the number of rows, where the last one ends.
    mutating func top(of index: Int) -> Int {
        ensureEdges()
        return edges[index]
    }

    /// The index of the row at a height; the first or the last one where there is none.
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
