// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// What asks the file one thing; values come in by the numbered places alone.
protocol SQLStatement: Hashable, Sendable {
    /// The statement.
    var sql: String { get }
}

/// The store's file, open.
///
/// One thread at a time may use it.
final class StoreDatabase {
    /// The connection, for transactions.
    let connection: Database
    /// Has the archive's mark stay where it is.
    var holdsArchiveMark = false
    /// Whose conversations are meant; nil is nobody's.
    var account: ChatAddress?
    /// The last failure, which says more than what is thrown.
    private var lastError: SQLiteError?
    private var hasNewTextIndex = false
    private var statements: [AnyHashable: Statement] = [:]

    /// Takes a connection whose file it brings up to the newest version.
    init(_ connection: Database, migrations: Migrations = .messages) throws(StoreError) {
        self.connection = connection
        try check { () throws(SQLiteError) in
            // Not every SQLite is built with it; a file is not to be taken for damaged because of that.
            let modules = "SELECT count(*) FROM pragma_module_list WHERE name IN ('fts5', 'json_each')"
            guard try connection.integer(modules) == 2
            else { throw SQLiteError(.ok, "SQLite was built without FTS5 or JSON") }
        }
        try migrations.run(on: connection)
    }

    /// Does what is one for the file: all of it, on the disk at the end, or nothing.
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

    /// What is made of each row that a query finds.
    func rows<Value>(
        _ query: some SQLStatement, _ values: [SQLValue] = [], _ row: (Statement.Row) -> Value
    ) throws(StoreError) -> [Value] {
        try check { () throws(SQLiteError) in try statement(query).run(values, row: row) }
    }

    /// Makes a change.
    func run(_ query: some SQLStatement, _ values: [SQLValue] = []) throws(StoreError) {
        _ = try rows(query, values) { _ in }
    }

    /// Whether something was not taken because it breaks a rule of the schema.
    var wasRefusedByRule: Bool { lastError?.code.primary == .constraint }

    /// Whether the last failure is one that only a file that is not as it was written explains.
    ///
    /// What was to be written may break a rule too, so the file is looked at, which takes as long as reading all of it.
    func isCorrupt() -> Bool {
        guard let code = lastError?.code.primary, code == .constraint || code == .error else { return false }
        do throws(StoreError) {
            guard try rows(MessageStatement.checkAll, [], { $0.text(0) }) == ["ok"] else { return true }
            try run(MessageStatement.checkTextIndex)
            return false
        } catch {
            // Anything else says that it could not be looked at.
            return error == .foundDamaged
        }
    }

    /// Whether the last damage was in the index of words alone, and it was not made anew already.
    var isTextIndexDamaged: Bool { lastError?.code == .corruptTextIndex && !hasNewTextIndex }

    /// Finds out again, from the messages, what words are where.
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
        } catch  where error.code.primary == .error && Self.isRight(query) {
            // It is the file that has not what a file of this version has.
            throw SQLiteError(.corrupt, error.message)
        }
    }

    /// Whether this SQLite takes a query, in a file as it should be.
    private static func isRight(_ query: some SQLStatement) -> Bool {
        guard let connection = try? Database(path: ":memory:", busyTimeout: 0),
            (try? Migrations.messages.run(on: connection)) != nil
        else { return false }
        return (try? connection.prepare(query.sql)) != nil
    }

    /// Does something with the connection, whose failure is the store's.
    func check<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            lastError = error
            throw StoreError(error)
        }
    }
}
