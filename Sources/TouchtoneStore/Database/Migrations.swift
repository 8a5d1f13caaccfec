// SPDX-License-Identifier: GPL-3.0-or-later

internal import TouchtoneCore

/// Brings a file of any version up to the newest.
///
/// A file says which it is (`user_version`), and whose (`application_id`).
struct Migrations {
    /// What brings a file of version `i` to `i + 1`.
    ///
    /// A step that was ever released stays as it is.
    let steps: [String]
    /// Which program's file it is.
    let applicationID: Int64

    /// Brings a file up, in one transaction, or leaves it as it is.
    ///
    /// - Throws: `newer` for one that this program does not know, which is not written to; damage for one that is not
    ///   the program's.
    func run(on database: Database) throws(StoreError) {
        let version = try version(of: database)
        guard version <= steps.count else { throw .newer }
        guard try isOurs(database, version: version) else { throw .foundDamaged }
        try StoreError.catching { () throws(SQLiteError) in
            try database.configureDurability()
            guard version < steps.count else { return }
            try database.begin()
            do throws(SQLiteError) {
                try raise(database)
                try database.commit()
            } catch {
                database.rollBack()
                throw error
            }
        }
    }

    private func version(of database: Database) throws(StoreError) -> Int64 {
        try StoreError.catching { () throws(SQLiteError) in try database.integer("PRAGMA user_version") }
    }

    private func isOurs(_ database: Database, version: Int64) throws(StoreError) -> Bool {
        try StoreError.catching { () throws(SQLiteError) in
            if version == 0 { return try database.integer("SELECT count(*) FROM sqlite_schema") == 0 }
            let id = try database.integer("PRAGMA application_id")
            return version > 0 && id == applicationID
        }
    }

    /// Whether this SQLite takes the steps, in a file as it should be.
    private var areRight: Bool {
        guard let database = try? Database(path: ":memory:", busyTimeout: 0) else { return false }
        return steps.allSatisfy { (try? database.execute($0)) != nil }
    }

    private func raise(_ database: Database) throws(SQLiteError) {
        // Another process may have done it meanwhile.
        let version = try database.integer("PRAGMA user_version")
        guard version < steps.count else { return }
        do throws(SQLiteError) {
            for step in steps[Int(version)...] { try database.execute(step) }
        } catch  where error.code.primary == .error && version > 0 && areRight {
            // It is the file that has not what a file of its version has.
            throw SQLiteError(.corrupt, error.message)
        }
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(steps.count)")
    }
}
