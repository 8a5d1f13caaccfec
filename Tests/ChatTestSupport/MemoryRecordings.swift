// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A store and a folder of recordings in memory, which answer at once.
@MainActor
public final class MemoryRecordings: RecordingStore, RecordingFolder {
    /// The recordings that are kept, newest first.
    public var kept: [Recording] = []
    public private(set) var deleted: [Recording] = []
    /// The ends of recordings, by the names of their files.
    public private(set) var ends: [String: RecordingOutcome] = [:]
    /// The numbers of the calls of which something is recorded, in order.
    public private(set) var begun: [Int] = []
    /// The files that exist.
    public private(set) var files: Set<String> = []
    public private(set) var log: [String] = []
    /// Why no file can be created.
    public var failure: RecordingFailure?
    /// Why no row can be written.
    public var storeError: StoreError?
    /// The size of all recordings.
    public var size: Int64 = 0

    public init() {}

    public func begin(
        _ file: String, _ kind: Recording.Kind, of call: TextCall,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        if let storeError {
            // As from a disk, which answers later.
            Task { completion(.failure(storeError)) }
            return
        }
        begun.append(call.number)
        completion(.success(()))
    }

    public func end(
        _ file: String, _ outcome: RecordingOutcome,
        completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        ends[file] = outcome
        if outcome == .nothing { files.remove(file) }
        completion(.success(()))
    }

    public func endInterrupted(completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        log.append("interrupted")
        completion(.success(()))
    }

    public func recordings() async throws(StoreError) -> [Recording] { kept }

    public func markHeard(_ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void) {
        kept = kept.map {
            $0.id == id
                ? Recording(
                    id: id, entry: $0.entry, call: $0.call, kind: $0.kind, length: $0.length, isHeard: true,
                    file: $0.file) : $0
        }
        completion(.success(()))
    }

    public func deleteRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        deleted += kept.filter { $0.id == id }
        kept.removeAll { $0.id == id }
        completion(.success(()))
    }

    public func restoreRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        kept += deleted.filter { $0.id == id }
        kept.sort { $0.id > $1.id }
        deleted.removeAll { $0.id == id }
        completion(.success(()))
    }

    public func forgetRecording(
        _ id: Int64, completion: @escaping @MainActor (Result<Void, StoreError>) -> Void
    ) {
        deleted.removeAll { $0.id == id }
        completion(.success(()))
    }

    public func trimRecordings(to bytes: Int64) async throws(StoreError) -> Int64 { size }

    public func unheardBytes() async throws(StoreError) -> Int64 {
        deleted.isEmpty && kept.allSatisfy { !$0.isHeard } ? size : 0
    }

    // MARK: - Folder

    public func create(_ name: String) throws(RecordingFailure) -> OpenFile {
        if let failure { throw failure }
        files.insert(name)
        return OpenFile(-1) { _ in }
    }

    public func remove(_ name: String) { files.remove(name) }

    public func path(of name: String) -> String { "/recordings/\(name)" }

    public func write(_ bytes: [UInt8], to name: String) async throws(RecordingFailure) {
        if let failure { throw failure }
        files.insert(name)
    }
}
