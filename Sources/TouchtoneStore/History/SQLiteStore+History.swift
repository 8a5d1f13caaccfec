// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: HistoryStore {
    /// Stores a call; its text, and the first 200 Unicode scalars of its name and of its address, are searchable.
    public func add(
        _ call: PastCall, textOf text: TextCall?,
        completion: @escaping @MainActor (Result<HistoryEntry, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.add(call, textOf: text) },
            completion: completion)
    }

    public func entries(_ query: HistoryQuery, below id: Int64?, count: Int) async throws(StoreError)
        -> [HistoryEntry]
    {
        try await ask(.history) { database throws(StoreError) in
            try database.calls(query, below: id, count: count)
        }
    }

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

    public func lastDialled() async throws(StoreError) -> RemoteParty? {
        try await ask(.history) { database throws(StoreError) in try database.lastDialled() }
    }

    /// Marks all missed calls as seen, including deleted ones.
    public func markSeen(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            .history, { database throws(StoreError) in try database.run(CallStatement.markSeen) },
            completion: completion)
    }

    public func delete(
        _ which: HistorySelection, completion: @escaping @MainActor (Result<[Int64], StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.delete(which) }, completion: completion)
    }

    public func restore(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            .history, { database throws(StoreError) in try database.restoreCalls(ids) },
            completion: completion)
    }

    /// Overwrites the calls in the file and in its log; if the log fails, calling this again retries it.
    public func forget(_ ids: [Int64], completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            .history, isForgetting: true, { database throws(StoreError) in try database.purgeCalls(ids) },
            completion: completion)
    }

    public func keep(
        _ parts: [TextPart], of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.keep(parts, of: call) },
            completion: completion)
    }

    public func forgetText(
        of call: TextCall, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, isForgetting: true,
            { database throws(StoreError) in try database.forgetText(of: call) }, completion: completion)
    }

    public func addInterrupted(
        reason: String, completion: @escaping @MainActor (Result<Int, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.addInterrupted(reason: reason) },
            completion: completion)
    }

    public func text(of id: Int64) async throws(StoreError) -> KeptCallText {
        try await ask(.history) { database throws(StoreError) in try database.text(of: id) }
    }
}
