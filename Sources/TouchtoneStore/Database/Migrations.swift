// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// The migrations that bring a file of any version up to the newest.
///
/// A file states its version in `user_version`, and its owner in `application_id`.
struct Migrations {
    /// The SQL scripts: the one at index `i` migrates a file from version `i` to `i + 1`.
    ///
    /// A released script is never changed.
    let steps: [String]
    let applicationID: Int64

    /// Migrates a file in one transaction, or leaves it unchanged.
    ///
    /// - Throws: `StoreError.newer` for a file of an unknown version, which is not written to; `.damaged` for a file of
    ///   a different application.
    func run(on database: Database) throws(StoreError) {
        let version = try version(of: database)
        guard version <= Self.mostNewer else { throw .foundDamaged }
        guard try isOurs(database, version: version), !database.isReadOnlyByHeader else {
            throw .foundDamaged
        }
        guard version <= steps.count else { throw .newer }
        try StoreError.opening { () throws(SQLiteError) in
            try database.configureDurability()
            guard version < steps.count else { return }
            try database.begin()
            do throws(SQLiteError) {
                try migrate(database)
                try database.commit()
            } catch {
                database.rollBack()
                throw error
            }
        }
    }

    /// The greatest version that a newer program may have written: beyond it, the header is damaged.
    private static let mostNewer: Int64 = 1_000_000

    private func version(of database: Database) throws(StoreError) -> Int64 {
        try StoreError.opening { () throws(SQLiteError) in try database.integer("PRAGMA user_version") }
    }

    private func isOurs(_ database: Database, version: Int64) throws(StoreError) -> Bool {
        try StoreError.opening { () throws(SQLiteError) in
            if version == 0 { return try database.integer("SELECT count(*) FROM sqlite_schema") == 0 }
            let id = try database.integer("PRAGMA application_id")
            return version > 0 && id == applicationID
        }
    }

    private func areValid(with library: SQLiteLibrary) -> Bool {
        guard let database = try? Database(path: ":memory:", busyTimeout: 0, library: library) else {
            return false
        }
        return steps.allSatisfy { (try? database.execute($0)) != nil }
    }

    private func migrate(_ database: Database) throws(SQLiteError) {
        // Another process may have migrated the file in the meantime.
        let version = try database.integer("PRAGMA user_version")
        guard version < steps.count else { return }
        do throws(SQLiteError) {
            for step in steps[Int(version)...] { try database.execute(step) }
        } catch  where error.code.primary == .error && version > 0 && areValid(with: database.library) {
            // The scripts work on an empty database, so this file lacks something that its version requires.
            throw SQLiteError(.corrupt, error.message)
        }
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(steps.count)")
    }
}

extension StoreError {
    /// Runs valid statements on a file that was just opened, and rethrows an error as a store error.
    ///
    /// SQLite has no code of its own for a header with an unknown format: "SQL logic error" can mean only that here.
    static func opening<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw error.code.primary == .error ? .foundDamaged : StoreError(error)
        }
    }
}
