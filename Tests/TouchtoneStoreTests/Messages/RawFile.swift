// SPDX-License-Identifier: GPL-3.0-or-later

import CSQLite

/// A database file as any other program sees it: with nothing of what the store forbids itself.
final class RawFile {
    private let connection: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw Failure(code: code, message: "can't open \(path)")
        }
        connection = handle
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs statements.
    func run(_ sql: String) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection)))
        }
    }

    /// The rows of a statement, with the columns as text.
    func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(
                code: sqlite3_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map {
                    sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "NULL"
                })
        }
        return rows
    }

    /// The first column of the first row.
    func value(_ sql: String) throws -> String { try rows(sql).first?.first ?? "" }

    /// Whether SQLite finds nothing wrong, with the index of words too.
    func isSound() throws -> Bool {
        try run("INSERT INTO message_text (message_text, rank) VALUES ('integrity-check', 1)")
        let miscounted = """
            SELECT buddy FROM conversation WHERE unread <>
                (SELECT count(*) FROM message WHERE conversation = conversation.id AND is_unread = 1)
            """
        return try rows("PRAGMA integrity_check") == [["ok"]] && rows("PRAGMA foreign_key_check").isEmpty
            && rows(miscounted).isEmpty
    }

    struct Failure: Error {
        let code: Int32
        let message: String
    }
}
