// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import TouchtoneCore

/// A copy of the store's file with another key, or with none, which then takes the place of the file.
///
/// Until the rename, the file is untouched; from then on, the copy is complete and on the disk. SQLCipher copies in both
/// directions. No connection to the file may be open.
struct StoreCopy {
    let file: StoreFile
    let library: SQLiteLibrary
    let (old, new): (StoreKey?, StoreKey?)

    /// - Parameter progressed: A function that is called with the part that is done, in percent.
    /// - Returns: Whether the file in its place is on the disk for certain.
    func make(progressed: @escaping (Int) -> Void) throws(StoreError) -> Bool {
        try file.replace { () throws(StoreError) in
            let before = try StoreError.catching { () throws(SQLiteError) in try copy(progressed) }
            let after = try StoreError.catching { () throws(SQLiteError) in
                try counts(in: file.copyPath, new)
            }
            guard after == before else { throw .failed(localized("the copy is not complete")) }
        }
    }

    /// Copies all tables, and returns the number of rows of each.
    private func copy(_ progressed: @escaping (Int) -> Void) throws(SQLiteError) -> [String: Int64] {
        let database = try open(file.path, old)
        let counts = try counts(in: database)
        let (version, application) = (
            try database.integer("PRAGMA user_version"), try database.integer("PRAGMA application_id")
        )
        try database.execute("PRAGMA cipher_default_compatibility = 4")
        let attach = try database.prepare("ATTACH DATABASE ?1 AS new KEY ?2")
        let key = new.map { $0.withSpecification { String(decoding: $0, as: UTF8.self) } } ?? ""
        try attach.run([.text(file.copyPath), .text(key)]) { _ in }
        // An interrupted copy is thrown away, so nothing of it must be durable before its end.
        try database.execute("PRAGMA new.journal_mode = OFF; PRAGMA new.synchronous = OFF")
        let size = try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
        let report = {
            progressed(Int(Self.size(of: file.copyPath) * 95 / max(size, 1)))
            return true
        }
        try database.watched(by: report) { () throws(SQLiteError) in
            try database.execute("SELECT sqlcipher_export('new')")
        }
        try database.execute(
            "PRAGMA new.user_version = \(version); PRAGMA new.application_id = \(application)")
        return counts
    }

    private func open(_ path: String, _ key: StoreKey?) throws(SQLiteError) -> Database {
        let database = try Database(
            path: path, busyTimeout: file.busyTimeout, library: library, key: key, isDefensive: false)
        try database.execute("PRAGMA temp_store = MEMORY")
        return database
    }

    private func counts(in path: String, _ key: StoreKey?) throws(SQLiteError) -> [String: Int64] {
        let database = try open(path, key)
        guard try database.prepare("PRAGMA quick_check").run([], row: { $0.text(0) }) == ["ok"] else {
            throw SQLiteError(.corrupt, "the copy is damaged")
        }
        return try counts(in: database)
    }

    /// Returns the number of rows of each table, with those that a virtual table consists of.
    private func counts(in database: Database) throws(SQLiteError) -> [String: Int64] {
        let names = try database.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
        ).run([]) { $0.text(0) }
        var counts: [String: Int64] = [:]
        for name in names {
            // A tampered file can have any names.
            let quoted = name.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            counts[name] = try database.integer("SELECT count(*) FROM \"\(quoted)\"")
        }
        return counts
    }

    private static func size(of path: String) -> Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
