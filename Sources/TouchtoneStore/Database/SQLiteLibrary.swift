// SPDX-License-Identifier: GPL-3.0-or-later

internal import CSQLite
internal import GLibBridge
internal import TouchtoneCore

/// The functions of SQLite that the store calls: those of the system's library, or of SQLCipher, which has the same names.
///
/// A connection and its statements belong to one library. The program links only the system's: SQLCipher brings
/// OpenSSL, and is loaded for an encrypted file.
struct SQLiteLibrary: Sendable {
    typealias Connection = OpaquePointer?
    typealias Statement = OpaquePointer?
    typealias Text = UnsafePointer<CChar>?
    typealias Destructor = sqlite3_destructor_type?

    let versionNumber: @convention(c) () -> Int32
    let open: @convention(c) (Text, UnsafeMutablePointer<OpaquePointer?>?, Int32, Text) -> Int32
    let close: @convention(c) (Connection) -> Int32
    let setBusyTimeout: @convention(c) (Connection, Int32) -> Int32
    let setProgressHandler:
        @convention(c) (
            Connection, Int32, (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?, UnsafeMutableRawPointer?
        ) -> Void
    let execute:
        @convention(c) (
            Connection, Text,
            (
                @convention(c) (
                    UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
                    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
                ) -> Int32
            )?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Int32
    let isAutocommitting: @convention(c) (Connection) -> Int32
    let isReadOnly: @convention(c) (Connection, Text) -> Int32
    let filename: @convention(c) (Connection, Text) -> UnsafePointer<CChar>?
    let controlFile: @convention(c) (Connection, Text, Int32, UnsafeMutableRawPointer?) -> Int32
    let message: @convention(c) (Connection) -> UnsafePointer<CChar>?
    let systemError: @convention(c) (Connection) -> Int32
    let prepare:
        @convention(c) (
            Connection, Text, Int32, UInt32, UnsafeMutablePointer<OpaquePointer?>?,
            UnsafeMutablePointer<UnsafePointer<CChar>?>?
        ) -> Int32
    let finalize, reset, clearBindings, step: @convention(c) (Statement) -> Int32
    let bindInteger: @convention(c) (Statement, Int32, Int64) -> Int32
    let bindText: @convention(c) (Statement, Int32, Text, UInt64, Destructor, UInt8) -> Int32
    let bindBytes: @convention(c) (Statement, Int32, UnsafeRawPointer?, UInt64, Destructor) -> Int32
    let bindNull: @convention(c) (Statement, Int32) -> Int32
    let integer: @convention(c) (Statement, Int32) -> Int64
    let text: @convention(c) (Statement, Int32) -> UnsafePointer<UInt8>?
    let count, type: @convention(c) (Statement, Int32) -> Int32
    let bytes: @convention(c) (Statement, Int32) -> UnsafeRawPointer?
    /// The variadic function `sqlite3_db_config`.
    private let configuring: @Sendable () -> UnsafeMutableRawPointer
    /// The function that gives a connection its key; nil in the system's library.
    let setKey: (@convention(c) (Connection, Text, UnsafeRawPointer?, Int32) -> Int32)?

    func configure(_ connection: OpaquePointer, _ option: Int32, _ value: Int32) -> Int32 {
        csqlite_configure(configuring(), connection, option, value)
    }

    static let system = SQLiteLibrary(
        versionNumber: sqlite3_libversion_number, open: sqlite3_open_v2, close: sqlite3_close_v2,
        setBusyTimeout: sqlite3_busy_timeout, setProgressHandler: sqlite3_progress_handler,
        execute: sqlite3_exec, isAutocommitting: sqlite3_get_autocommit, isReadOnly: sqlite3_db_readonly,
        filename: sqlite3_db_filename, controlFile: sqlite3_file_control, message: sqlite3_errmsg,
        systemError: sqlite3_system_errno, prepare: sqlite3_prepare_v3, finalize: sqlite3_finalize,
        reset: sqlite3_reset, clearBindings: sqlite3_clear_bindings, step: sqlite3_step,
        bindInteger: sqlite3_bind_int64, bindText: sqlite3_bind_text64, bindBytes: sqlite3_bind_blob64,
        bindNull: sqlite3_bind_null, integer: sqlite3_column_int64, text: sqlite3_column_text,
        count: sqlite3_column_bytes, type: sqlite3_column_type, bytes: sqlite3_column_blob,
        configuring: { csqlite_configuring_function() }, setKey: nil)

    private static let cipher = LazyLibrary { () throws(SharedLibrary.Failure) in try loadCipher() }

    /// Returns SQLCipher; the first call loads it, in some milliseconds.
    static func encrypting() throws(SharedLibrary.Failure) -> SQLiteLibrary { try cipher.functions() }

    private static func loadCipher() throws(SharedLibrary.Failure) -> SQLiteLibrary {
        let library = try openCipher()
        // The address is constant, but Swift's pointers are not Sendable.
        let configuring = UInt(bitPattern: try library.address(of: "sqlite3_db_config"))
        let functions = SQLiteLibrary(
            versionNumber: try library.function("sqlite3_libversion_number"),
            open: try library.function("sqlite3_open_v2"), close: try library.function("sqlite3_close_v2"),
            setBusyTimeout: try library.function("sqlite3_busy_timeout"),
            setProgressHandler: try library.function("sqlite3_progress_handler"),
            execute: try library.function("sqlite3_exec"),
            isAutocommitting: try library.function("sqlite3_get_autocommit"),
            isReadOnly: try library.function("sqlite3_db_readonly"),
            filename: try library.function("sqlite3_db_filename"),
            controlFile: try library.function("sqlite3_file_control"),
            message: try library.function("sqlite3_errmsg"),
            systemError: try library.function("sqlite3_system_errno"),
            prepare: try library.function("sqlite3_prepare_v3"),
            finalize: try library.function("sqlite3_finalize"), reset: try library.function("sqlite3_reset"),
            clearBindings: try library.function("sqlite3_clear_bindings"),
            step: try library.function("sqlite3_step"),
            bindInteger: try library.function("sqlite3_bind_int64"),
            bindText: try library.function("sqlite3_bind_text64"),
            bindBytes: try library.function("sqlite3_bind_blob64"),
            bindNull: try library.function("sqlite3_bind_null"),
            integer: try library.function("sqlite3_column_int64"),
            text: try library.function("sqlite3_column_text"),
            count: try library.function("sqlite3_column_bytes"),
            type: try library.function("sqlite3_column_type"),
            bytes: try library.function("sqlite3_column_blob"),
            configuring: {
                guard let address = UnsafeMutableRawPointer(bitPattern: configuring) else {
                    preconditionFailure("a function has an address")
                }
                return address
            }, setKey: try library.function("sqlite3_key_v2"))
        try check(functions)
        return functions
    }

    /// Loads the library under the name that it has in Debian, or elsewhere.
    ///
    /// It has the names of the system's SQLite, which the program has loaded, and must not call that one's functions.
    private static func openCipher() throws(SharedLibrary.Failure) -> SharedLibrary {
        do throws(SharedLibrary.Failure) {
            return try SharedLibrary(ofSystem: "libsqlcipher.so.1", prefersItself: true)
        } catch {
            if let other = try? SharedLibrary(ofSystem: "libsqlcipher.so.0", prefersItself: true) {
                return other
            }
            throw error
        }
    }

    /// Throws if the library is too old for the store's tables, or lacks a part of SQLite; Debian 12 has such a one.
    private static func check(_ library: SQLiteLibrary) throws(SharedLibrary.Failure) {
        do throws(SQLiteError) {
            try StoreDatabase.checkModules(of: library)
        } catch {
            throw SharedLibrary.Failure(reason: "SQLCipher is too old, or lacks a part: \(error.message)")
        }
    }
}
