// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Keeps messages, the history of calls and contacts in an SQLite database, `messages.db` in the user's folder of data.
///
/// The file is opened by the first call that needs it, on the store's own thread. What fails is as if it had not been
/// asked, and may be asked again. Damage is told to each of the three that are kept here, by the failure of one call
/// with `damaged`; the next goes on with a new file, in which all three begin anew. There the archive's mark stays empty
/// until `archiveCursor()` is asked: only who begins to catch up then gets back what was lost.
@MainActor
public final class SQLiteStore {
    /// How facts change what is kept; called on the store's thread.
    typealias Merging = @Sendable ([MessageUpdate], any MessageTable) throws(StoreError) -> MessageChanges

    /// Whose conversations are meant by the calls from now on.
    public var account: ChatAddress? { didSet { if account != oldValue { adopt() } } }
    private let worker: StoreWorker
    let merge: Merging

    /// Keeps all in the user's folder of data.
    public convenience init(folders: UserFolders = .standard) {
        self.init(folders: folders, busyTimeout: 5000)
    }

    /// - Parameter patience: how long to wait for another process that writes, in milliseconds.
    init(
        folders: UserFolders, busyTimeout: Int32,
        merge: @escaping Merging = { facts, table throws(StoreError) in
            try MessageMerger.apply(facts, to: table)
        }
    ) {
        worker = StoreWorker(file: StoreFile(folders: folders, busyTimeout: busyTimeout))
        self.merge = merge
    }

    deinit { worker.close() }

    /// Closes the file once all is done that was asked for; another call opens it again.
    func close() async {
        await withCheckedContinuation { continuation in worker.close { continuation.resume() } }
    }

    /// Calls back when all before has been done, or has failed.
    public func flush(_ completion: @escaping @MainActor () -> Void) { worker.add(.flush(completion)) }

    /// Looks for an answer on the store's thread.
    func ask<Value: Sendable>(
        _ part: StorePart, beginsCatchUp: Bool = false,
        _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let read = StoreRead(part: part, beginsCatchUp: beginsCatchUp) { database throws(StoreError) in
                let value = try body(database)
                continuation.resume(returning: .success(value))
            } fail: { error in
                continuation.resume(returning: .failure(error))
            }
            worker.add(.read(read))
        }
        return try result.get()
    }

    /// Makes a change on the store's thread.
    func write(_ change: StoreWrite) { worker.add(.write(change)) }

    /// Makes a change on the store's thread, and waits for what comes of it.
    func make<Value: Sendable>(
        _ part: StorePart, isForgetting: Bool = false,
        _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            write(
                StoreWrite(part, isForgetting: isForgetting, body) { continuation.resume(returning: $0) })
        }
        return try result.get()
    }
}
