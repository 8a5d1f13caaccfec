// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc
internal import TouchtoneCore

/// The store's file in the user's data folder, which only the user can read and write.
struct StoreFile: Sendable {
    let folders: UserFolders
    /// The time to wait for another process's write lock, in milliseconds.
    let busyTimeout: Int32

    var path: String { "\(folders.data)/messages.db" }

    /// Opens the file, and creates it and its folder if they do not exist.
    ///
    /// Entries that were deleted before, and could have been restored until now, are purged.
    func open() throws(StoreError) -> StoreDatabase {
        do throws(SystemCallError) {
            try prepare()
        } catch {
            throw StoreError(error)
        }
        let database = try StoreDatabase(
            StoreError.catching { () throws(SQLiteError) in try Database(path: path, busyTimeout: busyTimeout)
            })
        try database.purgeAtOpening()
        return database
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

    /// Renames a damaged file and its log, and returns the new path, as shown to the user.
    ///
    /// No connection to the file may be open.
    func quarantine() throws(StoreError) -> String {
        do throws(SystemCallError) {
            let new = freeName
            try SystemCallError.check { rename(path, new) }
            for end in ["-wal", "-shm"] where rename(path + end, new + end) != 0 && errno != ENOENT {
                throw SystemCallError()
            }
            return folders.shown(new)
        } catch {
            throw StoreError(error)
        }
    }

    private var freeName: String {
        let stem = "\(folders.data)/messages-damaged-\(Self.date)"
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
