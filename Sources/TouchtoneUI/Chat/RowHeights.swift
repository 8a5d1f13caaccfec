// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the rows of a list are, of which only some have been measured: the others are taken to be as high as the first
/// of those were on the average.
struct RowHeights<ID: Hashable> {
    /// The rows, from the top.
    private(set) var ids: [ID] = []
    private var indices: [ID: Int] = [:]
    private var measured: [ID: Int] = [:]
    private var sum = 0
    /// How high a row that was not measured is taken to be.
    ///
    /// It settles early, so that the others keep their places.
    private(set) var guess: Int
    /// Where each row begins, and where the last one ends; nil when something has changed.
    private var edges: [Int]?

    init(firstGuess: Int) {
        guess = firstGuess
    }

    /// Has other rows; what was measured of those that stay is kept.
    mutating func set(_ ids: [ID]) {
        self.ids = ids
        indices = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
        if measured.contains(where: { indices[$0.key] == nil }) {
            measured = measured.filter { indices[$0.key] != nil }
            sum = measured.values.reduce(0, +)
        }
        edges = nil
    }

    /// Where a row stands in the list.
    func index(of id: ID) -> Int? { indices[id] }

    /// Notes how high a row is.
    mutating func note(_ height: Int, of id: ID) {
        let old = measured.updateValue(height, forKey: id)
        sum += height - (old ?? 0)
        guard old != height else { return }
        if measured.count <= 16 { guess = max(1, sum / measured.count) }
        edges = nil
    }

    /// Whether a row has been measured as it is.
    func isMeasured(_ id: ID) -> Bool { measured[id] != nil }

    /// A row is another one now, and is to be measured again.
    mutating func forget(_ id: ID) {
        guard let old = measured.removeValue(forKey: id) else { return }
        sum -= old
        edges = nil
    }

    /// All rows have another width now.
    mutating func forgetAll() {
        measured.removeAll(keepingCapacity: true)
        sum = 0
        edges = nil
    }

    /// How high all are together.
    mutating func total() -> Int { ensureEdges().last ?? 0 }

    /// Where the row at an index begins; for the number of rows, where the last one ends.
    mutating func top(of index: Int) -> Int { ensureEdges()[index] }

    /// The index of the row at a height; the first or the last one where there is none.
    mutating func index(at y: Int) -> Int? {
        let edges = ensureEdges()
        guard !ids.isEmpty else { return nil }
        var (low, high) = (0, ids.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= y { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func ensureEdges() -> [Int] {
        if let edges { return edges }
        var made: [Int] = []
        made.reserveCapacity(ids.count + 1)
        var y = 0
        for id in ids {
            made.append(y)
            y += measured[id] ?? guess
        }
        made.append(y)
        edges = made
        return made
    }
}
