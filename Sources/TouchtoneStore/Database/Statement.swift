// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite

enum SQLValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case null

    init(_ value: Int) { self = .integer(Int64(value)) }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }
    init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
}

/// A prepared statement that can be run repeatedly.
///
/// It must not outlive its connection.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection) }
        guard let handle else { throw SQLiteError(.error, "nothing to do: \(sql)") }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to its end, and returns the result of `row` for each row.
    @discardableResult
    func run<Value>(_ values: [SQLValue], row: (Row) -> Value) throws(SQLiteError) -> [Value] {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        var found: [Value] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: found.append(row(Row(handle: handle)))
            case SQLITE_DONE: return found
            case let code: throw SQLiteError(code, on: connection)
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
        let code: Int32
        switch value {
        case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // SQLite would bind a null pointer as NULL.
                    guard let start = $0.baseAddress else { return csqlite_bind_text(handle, index, "", 0) }
                    return csqlite_bind_text(handle, index, start, UInt64($0.count))
                }
            }
        case .bytes(let bytes):
            code = bytes.withUnsafeBytes {
                csqlite_bind_bytes(handle, index, $0.baseAddress, UInt64($0.count))
            }
        case .null: code = sqlite3_bind_null(handle, index)
        }
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection) }
    }

    /// The current row, valid until the statement steps to the next one.
    struct Row {
        fileprivate let handle: OpaquePointer

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        func bool(_ column: Int32) -> Bool { integer(column) != 0 }

        /// Repairs invalid UTF-8, which only a tampered file contains.
        func text(_ column: Int32) -> String {
            guard let start = sqlite3_column_text(handle, column) else { return "" }
            let count = Int(sqlite3_column_bytes(handle, column))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        func bytes(_ column: Int32) -> [UInt8] {
            guard let start = sqlite3_column_blob(handle, column) else { return [] }
            let count = Int(sqlite3_column_bytes(handle, column))
            return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }

        func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

        func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

        private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    }
}
