// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// A store of messages, call history and contacts in an SQLite database, `messages.db` in the user's data folder.
///
/// The first call that needs the file opens it, on the store's own thread. A call that fails changes nothing and may be
/// repeated. Damage is reported once to each of the three parts, as a call that fails with `damaged`; the next call
/// continues with a new file, in which all three parts are empty. The archive cursor of the new file stays empty until
/// `archiveCursor()` is called, because only a new catch-up retrieves the lost messages. While the key of an encrypted file
/// cannot be used, all calls wait for the decision that `protection` asks for.
@MainActor
public final class SQLiteStore {
    /// A function that applies updates to the stored messages, on the store's thread.
    typealias Merging = @Sendable ([MessageUpdate], any MessageTable) throws(StoreError) -> MessageChanges

    /// The account whose conversations all later calls use.
    public var account: ChatAddress? { didSet { if account != oldValue { adopt() } } }
    public let health: StoreHealth
    public let protection: StoreProtection
    private let file: SharedFile
    private var worker: StoreWorker { file.worker }
    let merge: Merging

    /// The open file, which is closed with the last store that uses it.
    private final class SharedFile: Sendable {
        let worker: StoreWorker
        init(_ worker: StoreWorker) { self.worker = worker }
        deinit { worker.close() }
    }

    public convenience init(folders: UserFolders = .standard) {
        self.init(folders: folders, busyTimeout: 5000)
    }

    /// Creates a store whose keys are in another place than the keyring.
    package convenience init(folders: UserFolders = .standard, vault: any StoreKeyVault) {
        self.init(folders: folders, busyTimeout: 5000, vault: vault)
    }

    /// - Parameter busyTimeout: The time to wait for another process's write lock, in milliseconds.
    init(
        folders: UserFolders, busyTimeout: Int32, vault: any StoreKeyVault = KeyringVault(),
        merge: @escaping Merging = { updates, table throws(StoreError) in
            try MessageMerger.apply(updates, to: table)
        }
    ) {
        protection = StoreProtection()
        let worker = StoreWorker(
            file: StoreFile(folders: folders, busyTimeout: busyTimeout), protection: protection, vault: vault)
        file = SharedFile(worker)
        (health, self.merge) = (StoreHealth(), merge)
        protection.change = { [weak worker] isOn in
            await withCheckedContinuation { continuation in
                guard let worker else { return continuation.resume(returning: .failure(.store(.failed("")))) }
                worker.add(.protect(isOn) { continuation.resume(returning: $0) })
            }
        }
    }

    /// Creates a store in the file of another one, with an account of its own.
    public init(sharingFileOf other: SQLiteStore) {
        (file, health, protection, merge) = (other.file, other.health, other.protection, other.merge)
    }

    /// Closes the file after all pending requests; a later call opens it again.
    package func close() async {
        await withCheckedContinuation { continuation in worker.close { continuation.resume() } }
    }

    /// Calls `completion` once all earlier requests have succeeded or failed.
    public func flush(_ completion: @escaping @MainActor () -> Void) { worker.add(.flush(completion)) }

    /// Runs a query on the store's thread, and returns its result.
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

    /// Queues a change for the store's thread.
    ///
    /// - Parameter completion: The callback for the result, or nil if nobody waits for it.
    func write<Value: Sendable>(
        _ part: StorePart, isForgetting: Bool = false,
        _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value,
        completion: (@MainActor @Sendable (Result<Value, StoreError>) -> Void)?
    ) {
        worker.add(.write(StoreWrite(part, isForgetting: isForgetting, body, completion: completion)))
    }

    /// Makes a change on the store's thread, and returns its result.
    func make<Value: Sendable>(
        _ part: StorePart, isForgetting: Bool = false,
        _ body: @escaping @Sendable (StoreDatabase) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            write(part, isForgetting: isForgetting, body) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
