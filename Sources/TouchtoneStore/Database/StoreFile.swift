// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import TouchtoneCore

/// The store's file in the user's data folder, which only the user can read and write.
struct StoreFile: Sendable {
    let folders: UserFolders
    /// The time to wait for another process's write lock, in milliseconds.
    let busyTimeout: Int32

    var path: String { "\(folders.data)/messages.db" }

    /// The copy that a change of the encryption makes, and that takes the place of the file at the end.
    var copyPath: String { "\(folders.data)/messages-copy.db" }

    /// A file that was opened, or the name of the key that it needs.
    enum Opening {
        case opened(StoreDatabase)
        case encrypted(name: String)
    }

    /// Opens the file if it is not encrypted, and creates it and its folder if they do not exist.
    ///
    /// Entries that were deleted before, and could have been restored until now, are purged.
    func open() throws(StoreError) -> Opening {
        try Self.catching { () throws(SystemCallError) in try prepare() }
        // A change of the encryption was interrupted: the file is as before.
        removeCopy()
        let connection = try StoreError.catching { () throws(SQLiteError) in
            try Database(path: path, busyTimeout: busyTimeout)
        }
        if let name = StoreKey.name(inStart: connection.start(of: StoreKey.markSize)) {
            // The log belongs to SQLCipher.
            connection.disableCheckpointOnClose()
            return .encrypted(name: name)
        }
        return .opened(try database(on: connection))
    }

    /// Opens the encrypted file.
    func open(with key: StoreKey, of library: SQLiteLibrary) throws(StoreError) -> StoreDatabase {
        try database(
            on: StoreError.catching { () throws(SQLiteError) in
                try Database(path: path, busyTimeout: busyTimeout, library: library, key: key)
            })
    }

    private func database(on connection: Database) throws(StoreError) -> StoreDatabase {
        let database = try StoreDatabase(connection, recordings: RecordingFiles(folders: folders))
        try database.purgeAtOpening()
        return database
    }

    /// Creates the file, empty and encrypted; there must be none.
    func create(encryptedWith key: StoreKey, of library: SQLiteLibrary) throws(StoreError) {
        _ = try replace { () throws(StoreError) in
            _ = try StoreDatabase(
                StoreError.catching { () throws(SQLiteError) in
                    try Database(path: copyPath, busyTimeout: busyTimeout, library: library, key: key)
                })
        }
    }

    /// Puts a copy, which is empty before `fill`, in place of the file, unless `fill` fails.
    ///
    /// No connection to either may be open before or after.
    ///
    /// - Returns: Whether the change is on the disk; if not, a crash may bring the former file back.
    func replace(_ fill: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
        try Self.catching { () throws(SystemCallError) in
            removeCopy()
            try PrivateFile.create(copyPath, [], isDurable: false)
        }
        do throws(StoreError) {
            try fill()
        } catch {
            removeCopy()
            throw error
        }
        return try Self.catching { () throws(SystemCallError) in try takeCopy() }
    }

    /// Whether the file exists.
    var exists: Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Removes the copy, of which nothing is needed.
    private func removeCopy() {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(copyPath + end) }
    }

    /// Puts the complete copy, all of which is then on the disk, in place of the file.
    ///
    /// No connection to either may be open. A log would belong to the file that goes, so there must be none.
    ///
    /// - Returns: Whether the change of the name is on the disk, too; if not, a crash may bring the former file back.
    private func takeCopy() throws(SystemCallError) -> Bool {
        var status = stat()
        for path in [path, copyPath] where lstat(path + "-wal", &status) == 0 {
            guard status.st_size == 0 else { throw SystemCallError(number: EBUSY) }
        }
        for path in [path, copyPath] {
            for end in ["-wal", "-shm"] { unlink(path + end) }
        }
        try PrivateFile(folder: folders.data, name: "messages-copy.db").sync()
        try SystemCallError.check { rename(copyPath, path) }
        do throws(SystemCallError) {
            try PrivateFile(folder: folders.data, name: "messages.db").syncFolder()
            return true
        } catch {
            return false
        }
    }

    /// Runs a body, and rethrows its error as that of a store.
    static func catching<Value>(_ body: () throws(SystemCallError) -> Value) throws(StoreError) -> Value {
        do throws(SystemCallError) { return try body() } catch { throw StoreError(error) }
    }

    /// Creates the file if it does not exist, and checks that only the user can write it.
    ///
    /// An existing one is not opened for that: closing it would release this process's locks on it (POSIX).
    private func prepare() throws(SystemCallError) {
        try PrivateFile(folder: folders.data, name: "messages.db").makeFolder()
        var status = stat()
        if lstat(path, &status) != 0 {
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            close(try SystemCallError.check { Glibc.open(path, flags, 0o600) })
            try SystemCallError.check { lstat(path, &status) }
        }
        // As with the passcode's file, a file that other users could have written is not trusted.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
        else { throw SystemCallError(number: EPERM) }
        if status.st_mode & 0o777 != 0o600 { try SystemCallError.check { chmod(path, 0o600) } }
    }

    /// Renames a file that is damaged, or that cannot be opened, and its log; returns the new path, as shown to the user.
    ///
    /// No connection to the file may be open.
    ///
    /// - Parameter state: A word for the new name.
    func setAside(as state: String = "damaged") throws(StoreError) -> String {
        do throws(SystemCallError) {
            let new = freeName(state)
            try SystemCallError.check { rename(path, new) }
            for end in ["-wal", "-shm"] where rename(path + end, new + end) != 0 && errno != ENOENT {
                throw SystemCallError()
            }
            return folders.shown(new)
        } catch {
            throw StoreError(error)
        }
    }

    private func freeName(_ state: String) -> String {
        let stem = "\(folders.data)/messages-\(state)-\(Self.date)"
        var status = stat()
        var (name, number) = (stem + ".db", 1)
        while lstat(name, &status) == 0 {
            number += 1
            name = "\(stem)-\(number).db"
        }
        return name
    }

    private static var date: String {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { room in
            // Newer C libraries do not accept a null pointer.
            let count = room.baseAddress.map { strftime($0, room.count, "%Y-%m-%d-%H%M%S", &parts) }
            return String(decoding: room.prefix(count ?? 0).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}

extension StoreError {
    init(_ error: SystemCallError) {
        switch error.number {
        case ENOSPC, EDQUOT: self = .full
        default: self = .failed(error.reason)
        }
    }
}
