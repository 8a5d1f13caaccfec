// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite

/// A connection to a database file that is there.
///
/// One thread at a time may use it.
final class Database {
    private let connection: OpaquePointer

    /// Opens a file, which is not read yet.
    ///
    /// - Parameter patience: how long to wait for another process that writes, in milliseconds.
    init(path: String, busyTimeout: Int32) throws(SQLiteError) {
        // The first with STRICT and with extended codes from the start.
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw SQLiteError(.ok, "SQLite is older than 3.37")
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
        // Nothing that somebody has put into the file's schema is run, and only SQLite writes what is SQLite's.
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] as [(Int32, Int32)] {
            let code = csqlite_configure(handle, option, value)
            guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
        }
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs statements that need no values, one after the other.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection) }
    }

    func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(sql, on: connection) }

    /// The first number that a statement gives.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        try prepare(sql).run([]) { $0.integer(0) }.first ?? 0
    }

    /// Has what is written from now on be whole and on the disk at each commit.
    func configureDurability() throws(SQLiteError) {
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA cell_size_check = ON")
        // A disk that fails under a mapping ends the process.
        try execute("PRAGMA mmap_size = 0")
        // What is deleted, or is written in place of something else, is gone.
        try execute("PRAGMA secure_delete = ON")
        // What is sorted is private too.
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA journal_size_limit = 4194304")
    }

    /// Begins to write, or waits for who writes.
    func begin() throws(SQLiteError) { try execute("BEGIN IMMEDIATE") }

    /// Ends writing; what was written is on the disk then.
    func commit() throws(SQLiteError) { try execute("COMMIT") }

    /// Takes back what was written since the beginning, if SQLite has not done so by itself.
    func rollBack() {
        if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
    }

    /// Brings all that is in the log into the file, and has nothing be in the log.
    ///
    /// - Throws: also where another process reads what is in it, longer than there is patience.
    func checkpoint() throws(SQLiteError) {
        // The first column says whether somebody was in the way.
        guard try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw SQLiteError(.busy, "database is locked")
        }
    }

    /// Has closing leave the files as they are: it would bring the log into a file that is damaged, or remove that of
    /// another file in its place.
    func disableCheckpointOnClose() { _ = csqlite_configure(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }

    /// Whether the file was moved or removed while it was open.
    var hasMoved: Bool {
        var answer: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK
            && answer != 0
    }
}
