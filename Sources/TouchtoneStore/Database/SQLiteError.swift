// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite
internal import Glibc
internal import TouchtoneCore

/// A result code of SQLite's, with what it says more than the plain one (https://sqlite.org/rescode.html).
struct SQLiteCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    static let ok = SQLiteCode(rawValue: SQLITE_OK)
    static let error = SQLiteCode(rawValue: SQLITE_ERROR)
    static let ioError = SQLiteCode(rawValue: SQLITE_IOERR)
    static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
    /// The index of words is damaged (`SQLITE_CORRUPT_VTAB`); what it is of need not be.
    static let corruptTextIndex = SQLiteCode(rawValue: SQLITE_CORRUPT | 1 << 8)
    static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
    static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
    static let full = SQLiteCode(rawValue: SQLITE_FULL)
    static let cantOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
    static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)

    /// The plain code.
    var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xff) }
}

/// What SQLite has not done, and why.
struct SQLiteError: Error, Hashable {
    let code: SQLiteCode
    /// In SQLite's words.
    let message: String
    /// What the system said, where it was asked for something; otherwise 0.
    let systemError: Int32

    init(_ code: SQLiteCode, _ message: String, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.systemError = systemError
    }

    /// The failure of the last call on a connection; to be made right after it.
    init(_ code: Int32, on connection: OpaquePointer?) {
        self.init(
            SQLiteCode(rawValue: code), String(cString: sqlite3_errmsg(connection)),
            systemError: sqlite3_system_errno(connection))
    }
}

extension StoreError {
    /// The file is damaged, and is not set aside yet.
    static let foundDamaged = StoreError.damaged(setAside: "")

    var isDamage: Bool { if case .damaged = self { true } else { false } }

    init(_ error: SQLiteError) {
        switch error.code.primary {
        case .full: self = .full
        case .corrupt, .notADatabase: self = .foundDamaged
        case .ioError, .cantOpen:
            switch error.systemError {
            // SQLite knows of these only where it writes itself.
            case ENOSPC, EDQUOT: self = .full
            case 0: self = .failed(error.message)
            case let number: self = .failed(String(cString: strerror(number)))
            }
        default: self = .failed(error.message)
        }
    }

    /// Does something with SQLite, whose failure is the store's.
    static func catching<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) { return try body() } catch { throw StoreError(error) }
    }
}
