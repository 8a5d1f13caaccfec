// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite
internal import Glibc
internal import TouchtoneCore

/// An extended result code of SQLite (https://sqlite.org/rescode.html).
struct SQLiteCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let ok = SQLiteCode(rawValue: SQLITE_OK)
    static let error = SQLiteCode(rawValue: SQLITE_ERROR)
    static let ioError = SQLiteCode(rawValue: SQLITE_IOERR)
    static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
    /// The full-text index is damaged (`SQLITE_CORRUPT_VTAB`); the indexed text need not be.
    static let corruptTextIndex = SQLiteCode(rawValue: SQLITE_CORRUPT | 1 << 8)
    static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
    static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
    static let full = SQLiteCode(rawValue: SQLITE_FULL)
    static let cantOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
    static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)

    var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xff) }
}

struct SQLiteError: Error, Hashable {
    let code: SQLiteCode
    /// The error message from SQLite, in English.
    let message: String
    /// The `errno` of the failed system call, or 0 if no system call failed.
    let systemError: Int32

    init(_ code: SQLiteCode, _ message: String, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.systemError = systemError
    }

    /// Creates an error from the last failure on a connection, immediately after it.
    init(_ code: Int32, on connection: OpaquePointer?, of library: SQLiteLibrary) {
        self.init(
            SQLiteCode(rawValue: code), library.message(connection).map { String(cString: $0) } ?? "",
            systemError: library.systemError(connection))
    }
}

extension StoreError {
    /// Damage of a file that is not yet quarantined.
    static let foundDamaged = StoreError.damaged(setAside: "")

    var isDamage: Bool { if case .damaged = self { true } else { false } }

    init(_ error: SQLiteError) {
        switch error.code.primary {
        case .full: self = .full
        case .corrupt, .notADatabase: self = .foundDamaged
        case .ioError, .cantOpen:
            switch error.systemError {
            // SQLite recognizes a full disk only in its own write calls.
            case ENOSPC, EDQUOT: self = .full
            case 0: self = .failed(error.message)
            case let number: self = .failed(String(cString: strerror(number)))
            }
        default: self = .failed(error.message)
        }
    }

    static func catching<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) { return try body() } catch { throw StoreError(error) }
    }
}
