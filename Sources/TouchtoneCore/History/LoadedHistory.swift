// SPDX-License-Identifier: GPL-3.0-or-later

/// The run of the history that is in memory: a piece of what a query finds, without holes, the newest first.
struct LoadedHistory {
    private(set) var entries: [HistoryEntry] = []
    /// Whether the query finds more after the last, or before the first one.
    private(set) var (hasOlder, hasNewer) = (false, false)

    /// So many are in memory at most.
    static let limit = 300
    /// So many are read at a time.
    static let page = 100

    /// Begins anew.
    mutating func reset(_ page: [HistoryEntry], hasOlder: Bool, hasNewer: Bool) {
        (entries, self.hasOlder, self.hasNewer) = (Array(page.prefix(Self.limit)), hasOlder, hasNewer)
    }

    /// Puts what comes after the last one there, the newest first; the newest go where it gets too long.
    mutating func append(_ page: [HistoryEntry], hasMore: Bool) {
        let last = entries.last?.id ?? .max
        entries += page.filter { $0.id < last }
        hasOlder = hasMore
        let surplus = max(0, entries.count - Self.limit)
        entries.removeFirst(surplus)
        hasNewer = hasNewer || surplus > 0
    }

    /// Puts what comes before the first one there, the **oldest** first; the oldest go where it gets too long.
    mutating func prepend(_ page: [HistoryEntry], hasMore: Bool) {
        let first = entries.first?.id ?? .min
        entries.insert(contentsOf: page.filter { $0.id > first }.reversed(), at: 0)
        hasNewer = hasMore
        let surplus = max(0, entries.count - Self.limit)
        entries.removeLast(surplus)
        hasOlder = hasOlder || surplus > 0
    }

    /// Takes entries out.
    mutating func remove(_ ids: Set<Int64>) { entries.removeAll { ids.contains($0.id) } }

    /// Takes all out: there are no more.
    mutating func clear() { self = LoadedHistory() }

    /// No entry is new any more.
    ///
    /// - Returns: whether one was.
    mutating func markSeen() -> Bool {
        guard entries.contains(where: \.isNew) else { return false }
        entries = entries.map { HistoryEntry(id: $0.id, call: $0.call, isNew: false) }
        return true
    }
}
