// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite
internal import Glibc
internal import TouchtoneCore

/// A connection to an existing database file.
///
/// Only one thread at a time may use it.
final class Database {
    private let connection: OpaquePointer
    let library: SQLiteLibrary

    /// - Parameters:
    ///   - busyTimeout: The time to wait for another process's write lock, in milliseconds.
    ///   - key: The key of an encrypted file, which only SQLCipher opens.
    ///   - isDefensive: Whether only SQLite writes its internal tables; a copy writes those, too.
    init(
        path: String, busyTimeout: Int32, library: SQLiteLibrary = .system, key: StoreKey? = nil,
        isDefensive: Bool = true
    ) throws(SQLiteError) {
        // This is the first version with STRICT tables and with extended result codes from the start.
        guard library.versionNumber() >= 3_037_000 else {
            throw SQLiteError(.ok, localized("SQLite is older than 3.37"))
        }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = library.open(path, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            let error = SQLiteError(code, on: handle, of: library)
            _ = library.close(handle)
            throw error
        }
        (connection, self.library) = (handle, library)
        _ = library.setBusyTimeout(handle, busyTimeout)
        if let key { try use(key) }
        // Nothing that a tampered schema contains is executed.
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] as [(Int32, Int32)] {
            let code = library.configure(handle, option, value)
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, of: library) }
        }
    }

    deinit { _ = library.close(connection) }

    /// Sets the key; whether it is right shows at the first access to the file.
    private func use(_ key: StoreKey) throws(SQLiteError) {
        guard let setKey = library.setKey else {
            throw SQLiteError(.error, "this SQLite has no encryption")
        }
        let code = key.withSpecification { setKey(connection, "main", $0.baseAddress, Int32($0.count)) }
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection, of: library) }
        // The format of version 4, whatever a later version prefers.
        try execute("PRAGMA cipher_compatibility = 4")
    }

    func execute(_ sql: String) throws(SQLiteError) {
        let code = library.execute(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection, of: library) }
    }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try Statement(sql, on: connection, of: library)
    }

    /// Returns the integer in the first column of the first row, or 0 if there is no row.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        try prepare(sql).run([]) { $0.integer(0) }.first ?? 0
    }

    /// Configures SQLite so that every commit is atomic and durable.
    func configureDurability() throws(SQLiteError) {
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA cell_size_check = ON")
        // With a memory mapping, an I/O error on the disk would end the process.
        try execute("PRAGMA mmap_size = 0")
        // Overwrite deleted and replaced content.
        try execute("PRAGMA secure_delete = ON")
        // Temporary data for sorting is private too.
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA journal_size_limit = 4194304")
    }

    /// Runs `body`, and calls `mayGoOn` from time to time while a statement runs, which fails once that returns false.
    func watched<Value, Failure>(
        by mayGoOn: @escaping () -> Bool, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let watch = Watch(mayGoOn)
        library.setProgressHandler(
            connection, Self.stepsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
            }, Unmanaged.passUnretained(watch).toOpaque())
        defer {
            library.setProgressHandler(connection, 0, nil, nil)
            withExtendedLifetime(watch) {}
        }
        return try body()
    }

    private final class Watch {
        let mayGoOn: () -> Bool

        init(_ mayGoOn: @escaping () -> Bool) { self.mayGoOn = mayGoOn }
    }

    /// The number of instructions of SQLite between two calls; a thousand take some tens of microseconds.
    private static let stepsBetweenChecks: Int32 = 1000

    /// Begins a write transaction, and waits while another process writes.
    func begin() throws(SQLiteError) { try execute("BEGIN IMMEDIATE") }

    /// Commits the transaction; its changes are on the disk when the call returns.
    func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Rolls back the transaction, unless SQLite already did so itself.
    func rollBack() {
        if library.isAutocommitting(connection) == 0 { try? execute("ROLLBACK") }
    }

    /// Copies the entire log into the file and truncates the log.
    ///
    /// - Throws: `SQLiteError` with `.busy` if another process still reads the log when the timeout expires.
    func checkpoint() throws(SQLiteError) {
        // The first column is 1 if another connection blocked the checkpoint.
        guard try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw SQLiteError(.busy, "database is locked")
        }
    }

    /// Leaves the files as they are on close.
    ///
    /// A checkpoint would copy the log into a damaged file, or remove the log of a different file at the same path.
    func disableCheckpointOnClose() { _ = library.configure(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    /// Whether SQLite refuses to write a file that the system would write: its header demands a newer SQLite.
    var isReadOnlyByHeader: Bool {
        guard library.isReadOnly(connection, "main") == 1, let path = library.filename(connection, "main")
        else { return false }
        return access(path, W_OK) == 0
    }

    /// Whether the file was moved or removed while it was open.
    var hasMoved: Bool {
        var answer: Int32 = 0
        return library.controlFile(connection, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK
            && answer != 0
    }

    /// Returns the first bytes of the file, as they are on the disk.
    ///
    /// They are read through SQLite's own descriptor: closing another one would release this process's locks (POSIX).
    func start(of count: Int) -> [UInt8] {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard
            library.controlFile(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, Int32($0.count), 0) }
        return code == SQLITE_OK ? bytes : []
    }
}
