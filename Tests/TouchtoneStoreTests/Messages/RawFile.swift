// SPDX-License-Identifier: GPL-3.0-or-later

import CSQLite

/// A database file opened without the restrictions that the store sets.
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

    /// Returns the rows of a statement, with the columns as text.
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

    /// Returns the first column of the first row.
    func value(_ sql: String) throws -> String { try rows(sql).first?.first ?? "" }

    /// Whether SQLite finds no error, including the word index, and redundant data is consistent.
    func isSound() throws -> Bool {
        try run("INSERT INTO message_text (message_text, rank) VALUES ('integrity-check', 1)")
        return try rows("PRAGMA integrity_check") == [["ok"]] && rows("PRAGMA foreign_key_check").isEmpty
            && Self.contradictions.allSatisfy { try rows($0).isEmpty }
    }

    /// Queries that have results only if a file contradicts itself.
    private static let contradictions =
        [
            """
            SELECT buddy FROM conversation WHERE unread <>
                (SELECT count(*) FROM message WHERE conversation = conversation.id AND is_unread = 1)
            """,
            "SELECT id FROM call WHERE state = 2 AND number || name || address || search || line <> ''",
            """
            SELECT id FROM contact WHERE state < 2 AND
                (1 <> (SELECT count(*) FROM contact_card WHERE contact = contact.id)
                    OR has_photo <> (SELECT count(*) FROM contact_photo WHERE contact = contact.id))
            """,
            "SELECT id FROM contact_card WHERE contact IS NULL AND name || organization || note || rest <> ''",
            "SELECT id FROM contact_way WHERE contact IS NULL AND kind || place || text <> ''",
            "SELECT id FROM contact_photo WHERE contact IS NULL AND length(image) > 0",
        ] + blocks("call_text", "") + blocks("missed_text", "AND is_missed = 1")

    private static func blocks(_ table: String, _ which: String) -> [String] {
        [
            "SELECT id FROM call WHERE state < 2 \(which) AND id >> 6 NOT IN (SELECT id FROM \(table))",
            """
            SELECT id FROM \(table) WHERE text <> (
                SELECT coalesce(group_concat(search, char(10)), '') FROM call
                WHERE call.id BETWEEN \(table).id * 64 AND \(table).id * 64 + 63 AND state < 2 \(which))
            """,
        ]
    }

    struct Failure: Error {
        let code: Int32
        let message: String
    }
}
