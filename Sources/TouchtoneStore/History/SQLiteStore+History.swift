// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: HistoryStore {
    /// Keeps a call.
    ///
    /// The first 200 characters of its name and of its address can be searched.
    public func add(
        _ call: PastCall, completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.add(call) }, completion: completion))
    }

    /// Up to `count` entries from below an id on (nil: from the newest on), the newest first.
    public func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await ask(.history) { database throws(StoreError) in
            try database.calls(query, below: id, count: count)
        }
    }

    /// Up to `count` entries from an id upwards, the oldest first.
    public func entries(_ query: HistoryQuery, from id: Int64, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await ask(.history) { database throws(StoreError) in
            try database.calls(query, from: id, count: count)
        }
    }

    /// How many missed calls are new.
    public func newMissedCalls() async throws(StoreError) -> Int {
        try await ask(.history) { database throws(StoreError) in try database.newMissedCalls() }
    }

    /// The number of the newest outgoing call that has one.
    public func lastDialled() async throws(StoreError) -> DialledNumber? {
        try await ask(.history) { database throws(StoreError) in try database.lastDialled() }
    }

    /// No missed call is new any more, those that are deleted included.
    public func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.run(CallStatement.markSeen) },
                completion: completion)
        )
    }

    /// Takes entries away, and says which of them were there.
    public func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void
    ) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.delete(which) },
                completion: completion))
    }

    /// Brings back those of these entries that were deleted and not forgotten.
    public func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, { database throws(StoreError) in try database.restoreCalls(ids) },
                completion: completion))
    }

    /// Overwrites those of these entries that were deleted, in the file and in its log.
    ///
    /// Where that fails for the log, they can't be brought back any more all the same; to ask again tries the log again.
    public func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            StoreWrite(
                .history, isForgetting: true,
                { database throws(StoreError) in try database.purgeCalls(ids) }, completion: completion))
    }
}
