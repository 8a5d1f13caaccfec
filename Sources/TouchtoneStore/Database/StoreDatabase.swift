// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// A statement with a fixed text, whose values are only ever bound to its numbered parameters.
protocol SQLStatement: Hashable, Sendable {
    var sql: String { get }
}

/// The store's open file.
///
/// Only one thread at a time may use it.
final class StoreDatabase {
    let connection: Database
    let recordings: RecordingFiles
    /// The accounts whose archive cursor may move; nil for all.
    var caughtUp: Set<ChatAddress?>?
    /// Whether messages were retracted in the last transaction, or are in the present one.
    var hasRetractions = false
    /// The account whose conversations are used; nil for those without an account.
    var account: ChatAddress?
    /// The last failure, which has more detail than the error that is thrown.
    private var lastError: SQLiteError?
    private var hasNewTextIndex = false
    private var statements: [AnyHashable: Statement] = [:]

    /// Creates a database on a connection, and migrates its file to the newest version.
    init(
        _ connection: Database, migrations: Migrations = .messages,
        recordings: RecordingFiles = RecordingFiles(folders: .standard)
    ) throws(StoreError) {
        (self.connection, self.recordings) = (connection, recordings)
        try check { () throws(SQLiteError) in try Self.checkModules(of: connection.library) }
        try migrations.run(on: connection)
    }

    /// Throws an error if this SQLite was built without FTS5 or JSON; that must not look like a damaged file.
    ///
    /// The list of modules does not tell: newer versions list those for JSON only once they are used.
    /// They are asked for without the file, whose header may be damaged.
    static func checkModules(of library: SQLiteLibrary) throws(SQLiteError) {
        let connection = try Database(path: ":memory:", busyTimeout: 0, library: library)
        do throws(SQLiteError) {
            _ = try connection.integer("SELECT length(fts5_source_id()) + json_valid('[]')")
        } catch {
            guard error.code.primary == .error else { throw error }
            throw SQLiteError(.ok, localized("SQLite was built without FTS5 or JSON"))
        }
    }

    /// Runs `body` in a transaction: either all of its changes are on the disk at the end, or none are made.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try check { () throws(SQLiteError) in try connection.begin() }
        do throws(StoreError) {
            let value = try body()
            try check { () throws(SQLiteError) in try connection.commit() }
            return value
        } catch {
            connection.rollBack()
            throw error
        }
    }

    func rows<Value>(
        _ query: some SQLStatement, _ values: [SQLValue] = [], _ row: (Statement.Row) -> Value
    ) throws(StoreError) -> [Value] {
        try check { () throws(SQLiteError) in try statement(query).run(values, row: row) }
    }

    func run(_ query: some SQLStatement, _ values: [SQLValue] = []) throws(StoreError) {
        _ = try rows(query, values) { _ in }
    }

    /// Returns the first column of each row.
    func integers(_ query: some SQLStatement, _ values: [SQLValue] = []) throws(StoreError) -> [Int64] {
        try rows(query, values) { $0.integer(0) }
    }

    /// Returns whether the first column of the first row is not 0.
    func isTrue(_ query: some SQLStatement, _ values: [SQLValue] = []) throws(StoreError) -> Bool {
        try integers(query, values).first.map { $0 != 0 } ?? false
    }

    /// Inserts a row, and returns its id.
    func insert(_ query: some SQLStatement, _ values: [SQLValue]) throws(StoreError) -> Int64 {
        guard let id = try integers(query, values).first else { throw .foundDamaged }
        return id
    }

    /// Runs a statement for each of the ids, and returns those that it concerned.
    func run(_ query: some SQLStatement, forEach ids: [Int64]) throws(StoreError) -> [Int64] {
        var concerned: [Int64] = []
        for id in ids { concerned += try integers(query, [.integer(id)]) }
        return concerned
    }

    var wasRefusedByRule: Bool { lastError?.code.primary == .constraint }

    /// Returns whether the last failure can only be explained by a damaged file.
    ///
    /// Invalid new values can violate a constraint too, so this checks the file, which takes as long as reading all of
    /// it.
    func isCorrupt() -> Bool {
        guard let code = lastError?.code.primary, code == .constraint || code == .error else { return false }
        do throws(StoreError) {
            guard try rows(MessageStatement.checkAll, [], { $0.text(0) }) == ["ok"] else { return true }
            try run(MessageStatement.checkTextIndex)
            return false
        } catch {
            // Any other error means that the check itself failed.
            return error == .foundDamaged
        }
    }

    /// Whether the last failure was damage to the full-text index alone, which was not rebuilt before.
    var isTextIndexDamaged: Bool { lastError?.code == .corruptTextIndex && !hasNewTextIndex }

    func rebuildTextIndex() throws(StoreError) {
        hasNewTextIndex = true
        try transaction { () throws(StoreError) in try run(MessageStatement.rebuildTextIndex) }
    }

    private func statement(_ query: some SQLStatement) throws(SQLiteError) -> Statement {
        if let known = statements[query] { return known }
        do throws(SQLiteError) {
            let new = try connection.prepare(query.sql)
            statements[query] = new
            return new
        } catch  where error.code.primary == .error && isValid(query) {
            // The statement is valid in an intact schema, so this file lacks something that its version requires.
            throw SQLiteError(.corrupt, error.message)
        }
    }

    /// Returns whether this SQLite accepts a statement with an intact schema.
    private func isValid(_ query: some SQLStatement) -> Bool {
        guard let connection = try? Database(path: ":memory:", busyTimeout: 0, library: connection.library),
            (try? Migrations.messages.run(on: connection)) != nil
        else { return false }
        return (try? connection.prepare(query.sql)) != nil
    }

    /// Runs `body` on the connection, remembers its failure, and rethrows it as a store error.
    func check<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            lastError = error
            throw StoreError(error)
        }
    }
}
