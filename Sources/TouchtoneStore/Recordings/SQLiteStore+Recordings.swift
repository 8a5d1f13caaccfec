// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension SQLiteStore: RecordingStore {
    public func begin(
        _ file: String, _ kind: Recording.Kind, of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.begin(file, kind, of: call) },
            completion: completion)
    }

    public func end(
        _ file: String, _ outcome: RecordingOutcome,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.end(file, outcome) },
            completion: completion)
    }

    public func endInterrupted(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        write(
            .history, { database throws(StoreError) in try database.endInterruptedRecordings() },
            completion: completion)
    }

    public func recordings() async throws(StoreError) -> [Recording] {
        try await ask(.history) { database throws(StoreError) in try database.allRecordings() }
    }

    public func markHeard(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        change(.markHeard, id, completion)
    }

    public func deleteRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        change(.delete, id, completion)
    }

    public func restoreRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        change(.restore, id, completion)
    }

    public func forgetRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.forgetRecording(id) },
            completion: completion)
    }

    public func trimRecordings(to bytes: Int64) async throws(StoreError) -> Int64 {
        try await make(.history) { database throws(StoreError) in try database.trimRecordings(to: bytes) }
    }

    public func unheardBytes() async throws(StoreError) -> Int64 {
        try await ask(.history) { database throws(StoreError) in try database.unheardBytes() }
    }

    private func change(
        _ statement: RecordingStatement, _ id: Int64,
        _ completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        write(
            .history, { database throws(StoreError) in try database.run(statement, [.integer(id)]) },
            completion: completion)
    }
}
