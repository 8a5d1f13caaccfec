// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite
internal import Glibc
internal import TouchtoneCore

/// A connection to an existing database file.
///
/// Only one thread at a time may use it.
final class Database {
    private let connection: OpaquePointer

    /// - Parameter busyTimeout: The time to wait for another process's write lock, in milliseconds.
    init(path: String, busyTimeout: Int32) throws(SQLiteError) {
        // This is the first version with STRICT tables and with extended result codes from the start.
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw SQLiteError(.ok, localized("SQLite is older than 3.37"))
        }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            let error = SQLiteError(code, on: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        connection = handle
        sqlite3_busy_timeout(handle, busyTimeout)
        // Nothing that a tampered schema contains is executed, and only SQLite writes its internal tables.
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] as [(Int32, Int32)] {
            let code = csqlite_configure(handle, option, value)
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        }
    }

    deinit { sqlite3_close_v2(connection) }

    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection) }
    }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }

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

    /// Lets statements fail once a search is cancelled; nil lets them run to their end again.
    ///
    /// The search must exist until then.
    func follow(_ search: CancellableSearch?) {
        guard let search else { return sqlite3_progress_handler(connection, 0, nil, nil) }
        sqlite3_progress_handler(
            connection, Self.stepsBetweenChecks,
            { context in
                guard let context else { return 0 }
                let search = Unmanaged<CancellableSearch>.fromOpaque(context).takeUnretainedValue()
                return search.isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(search).toOpaque())
    }

    /// The number of instructions of SQLite between two checks; a thousand take some tens of microseconds.
    private static let stepsBetweenChecks: Int32 = 1000

    /// Begins a write transaction, and waits while another process writes.
    func begin() throws(SQLiteError) { try execute("BEGIN IMMEDIATE") }

    /// Commits the transaction; its changes are on the disk when the call returns.
    func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Rolls back the transaction, unless SQLite already did so itself.
    func rollBack() {
        if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
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
    func disableCheckpointOnClose() { _ = csqlite_configure(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    /// Whether SQLite refuses to write a file that the system would write: its header demands a newer SQLite.
    var isReadOnlyByHeader: Bool {
        guard sqlite3_db_readonly(connection, "main") == 1, let path = sqlite3_db_filename(connection, "main")
        else { return false }
        return access(path, W_OK) == 0
    }

    /// Whether the file was moved or removed while it was open.
    var hasMoved: Bool {
        var answer: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK
            && answer != 0
    }
}
