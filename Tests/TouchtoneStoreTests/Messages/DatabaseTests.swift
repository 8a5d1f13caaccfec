// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneStore

/// Tests of the configuration of SQLite.
@Suite struct DatabaseTests {
    private let home = Home(in: Home.memory)

    private func open() throws -> Database {
        try home.write("", to: home.messages)
        return try Database(path: home.messages, busyTimeout: 0)
    }

    /// No test can cut the power, so this checks the settings that make SQLite wait for the disk.
    @Test func committedDataIsOnDisk() throws {
        let database = try open()
        try database.configureDurability()
        #expect(try database.integer("PRAGMA synchronous") == 2)
        #expect(
            try database.integer("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'") == 1)
        #expect(try database.integer("PRAGMA foreign_keys") == 1)
        #expect(try database.integer("PRAGMA temp_store") == 2)
    }

    @Test func tamperedSchemaRunsNothing() throws {
        _ = try open()
        try RawFile(home.messages).run(
            """
            CREATE VIRTUAL TABLE words USING fts5 (text);
            CREATE TABLE one (id);
            CREATE TRIGGER hostile AFTER INSERT ON one BEGIN SELECT rtreedepth(x'00010000'); END;
            """)
        let database = try Database(path: home.messages, busyTimeout: 0)
        // SQLite does not take every function for harmless, such as this one; newer versions do so with FTS5.
        for refused in [
            "INSERT INTO one VALUES (1)", "DELETE FROM words_data", "SELECT \"no column\" FROM one",
            "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema",
        ] {
            #expect(throws: SQLiteError.self, "\(refused)") { try database.execute(refused) }
        }
    }

    @Test func transactionRollsBackWhole() throws {
        let database = try open()
        try database.execute("CREATE TABLE one (id UNIQUE)")
        try database.begin()
        try database.execute("INSERT INTO one VALUES (1)")
        #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO one VALUES (1)") }
        database.rollBack()
        #expect(try database.integer("SELECT count(*) FROM one") == 0)
        // The file no longer exists, so there is nothing to do.
        database.rollBack()
    }

    @Test func messageOfSQLiteIsReported() throws {
        let error = #expect(throws: SQLiteError.self) { try open().execute("SELECT missing") }
        #expect(error?.code == .error)
        #expect(error?.message == "no such column: missing")
        #expect(throws: SQLiteError.self) {
            try Database(path: home.folder, busyTimeout: 0).execute("PRAGMA user_version")
        }
    }
}
