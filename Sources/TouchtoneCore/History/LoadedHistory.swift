// SPDX-License-Identifier: GPL-3.0-or-later

/// The loaded part of the call history: consecutive results of a query, newest first.
struct LoadedHistory {
    private(set) var entries: [HistoryEntry] = []
    /// Whether the query has older results than the last entry, and newer ones than the first.
    private(set) var (hasOlder, hasNewer) = (false, false)

    /// The greatest number of loaded entries.
    static let limit = 300
    /// The number of entries that are read at a time.
    static let page = 100

    /// Replaces all entries.
    mutating func reset(_ page: [HistoryEntry], hasOlder: Bool, hasNewer: Bool) {
        (entries, self.hasOlder, self.hasNewer) = (Array(page.prefix(Self.limit)), hasOlder, hasNewer)
    }

    /// Appends older entries, newest first, and drops the newest ones above the limit.
    mutating func append(_ page: [HistoryEntry], hasMore: Bool) {
        let last = entries.last?.id ?? .max
        entries += page.filter { $0.id < last }
        hasOlder = hasMore
        let surplus = max(0, entries.count - Self.limit)
        entries.removeFirst(surplus)
        hasNewer = hasNewer || surplus > 0
    }

    /// Prepends newer entries, given **oldest** first, and drops the oldest ones above the limit.
    mutating func prepend(_ page: [HistoryEntry], hasMore: Bool) {
        let first = entries.first?.id ?? .min
        entries.insert(contentsOf: page.filter { $0.id > first }.reversed(), at: 0)
        hasNewer = hasMore
        let surplus = max(0, entries.count - Self.limit)
        entries.removeLast(surplus)
        hasOlder = hasOlder || surplus > 0
    }

    /// Removes entries.
    mutating func remove(_ ids: Set<Int64>) { entries.removeAll { ids.contains($0.id) } }

    /// Removes all entries, because there are no more results.
    mutating func clear() { self = LoadedHistory() }

    /// Marks all entries as seen.
    ///
    /// - Returns: Whether an entry was new.
    mutating func markSeen() -> Bool {
        guard entries.contains(where: \.isNew) else { return false }
        entries = entries.map { HistoryEntry(id: $0.id, call: $0.call, isNew: false) }
        return true
    }
}
