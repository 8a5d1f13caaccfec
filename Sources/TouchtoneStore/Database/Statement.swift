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
    private let library: SQLiteLibrary

    init(_ sql: String, on connection: OpaquePointer, of library: SQLiteLibrary) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = library.prepare(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection, of: library) }
        guard let handle else { throw SQLiteError(.error, "nothing to do: \(sql)") }
        self.handle = handle
        (self.connection, self.library) = (connection, library)
    }

    deinit { _ = library.finalize(handle) }

    /// Runs the statement to its end, and returns the result of `row` for each row.
    @discardableResult
    func run<Value>(_ values: [SQLValue], row: (Row) -> Value) throws(SQLiteError) -> [Value] {
        defer {
            _ = library.reset(handle)
            _ = library.clearBindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        var found: [Value] = []
        while true {
            switch library.step(handle) {
            case SQLITE_ROW: found.append(row(Row(handle: handle, library: library)))
            case SQLITE_DONE: return found
            case let code: throw SQLiteError(code, on: connection, of: library)
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
        let code: Int32
        switch value {
        case .integer(let number): code = library.bindInteger(handle, index, number)
        case .text(var text):
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // SQLite would bind a null pointer as NULL.
                    guard let start = $0.baseAddress else {
                        return library.bindText(handle, index, "", 0, Self.copied, UInt8(SQLITE_UTF8))
                    }
                    let count = UInt64($0.count)
                    return library.bindText(handle, index, start, count, Self.copied, UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes):
            // A null pointer would bind NULL instead of an empty blob.
            code = (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
                library.bindBytes(handle, index, $0.baseAddress, UInt64(bytes.count), Self.copied)
            }
        case .null: code = library.bindNull(handle, index)
        }
        guard code == SQLITE_OK else { throw SQLiteError(code, on: connection, of: library) }
    }

    /// `SQLITE_TRANSIENT`, a cast that Swift does not import: SQLite copies the text or the bytes.
    private static var copied: SQLiteLibrary.Destructor {
        // The macro is this very cast in C.
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// The current row, valid until the statement steps to the next one.
    struct Row {
        fileprivate let handle: OpaquePointer
        fileprivate let library: SQLiteLibrary

        func integer(_ column: Int32) -> Int64 { library.integer(handle, column) }

        func bool(_ column: Int32) -> Bool { integer(column) != 0 }

        /// Repairs invalid UTF-8, which only a tampered file contains.
        func text(_ column: Int32) -> String {
            guard let start = library.text(handle, column) else { return "" }
            let count = Int(library.count(handle, column))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        func bytes(_ column: Int32) -> [UInt8] {
            guard let start = library.bytes(handle, column) else { return [] }
            let count = Int(library.count(handle, column))
            return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }

        func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

        func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

        private func isNull(_ column: Int32) -> Bool { library.type(handle, column) == SQLITE_NULL }
    }
}
