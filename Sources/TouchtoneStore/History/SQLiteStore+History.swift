// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: HistoryStore {
    /// Stores a call; the first 200 Unicode scalars of its name and of its address are searchable.
    public func add(
        _ call: PastCall, completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.add(call) }, completion: completion))
    }

    /// Returns up to `count` entries with ids below `id` (nil: the newest ones), newest first.
    public func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await ask(.history) { database throws(StoreError) in
            try database.calls(query, below: id, count: count)
        }
    }

    /// Returns up to `count` entries with ids from `id` upwards, oldest first.
    public func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await ask(.history) { database throws(StoreError) in
            try database.calls(query, from: id, count: count)
        }
    }

    public func newMissedCalls() async throws(StoreError) -> Int {
        try await ask(.history) { database throws(StoreError) in try database.newMissedCalls() }
    }

    /// Returns the number of the newest outgoing call that has one.
    public func lastDialled() async throws(StoreError) -> DialledNumber? {
        try await ask(.history) { database throws(StoreError) in try database.lastDialled() }
    }

    /// Marks all missed calls as seen, including deleted ones.
    public func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.run(CallStatement.markSeen) },
                completion: completion)
        )
    }

    /// Deletes entries, and reports the ids of those that existed.
    public func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void
    ) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.delete(which) },
                completion: completion))
    }

    /// Restores the entries in `ids` that are deleted but not yet purged.
    public func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.restoreCalls(ids) },
                completion: completion))
    }

    /// Overwrites the deleted entries in `ids`, in the file and in its log.
    ///
    /// If overwriting the log fails, they cannot be restored all the same; calling this again retries the log.
    public func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, isForgetting: true,
                { database throws(StoreError) in try database.purgeCalls(ids) }, completion: completion))
    }
}
