// SPDX-License-Identifier: GPL-3.0-or-later

internal import Glibc

/// A small file that only the user can read and write, in a folder that only the user can enter.
struct PrivateFile: Hashable, Sendable {
    /// The result of reading the file.
    enum Content: Hashable {
        case none
        case text(String)
        /// The file exists, but is too long or not text.
        case unreadable
        /// Reading failed, which says nothing about the content; a later attempt may succeed.
        case failed(SystemCallError)
        /// Other users could have written the file: it is another user's, a link, or writable by others.
        case unsafe
    }

    let folder: String
    let name: String

    /// The maximum length of the content, in bytes.
    static let longest = 4096

    var path: String { "\(folder)/\(name)" }

    /// Reads the file; read permission for other users is removed.
    func read() -> Content {
        // Do not follow a link, and do not wait for a writer of a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        do throws(SystemCallError) {
            let descriptor = try SystemCallError.check { open(path, flags) }
            defer { close(descriptor) }
            return try Self.content(of: descriptor)
        } catch {
            switch error.number {
            case ENOENT, ENOTDIR: return .none
            // A link, a socket, or a device without a driver.
            case ELOOP, ENXIO, ENODEV: return .unsafe
            default: return .failed(error)
            }
        }
    }

    private static func content(of descriptor: Int32) throws(SystemCallError) -> Content {
        var status = stat()
        try SystemCallError.check { fstat(descriptor, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unsafe }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else { return .unsafe }
        if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
        let bytes = try read(from: descriptor, atMost: longest + 1)
        guard bytes.count <= longest, let text = String(validating: bytes, as: UTF8.self) else {
            return .unreadable
        }
        return .text(text)
    }

    /// Writes the file atomically, or leaves it unchanged; it is on the disk when the call returns.
    func write(_ text: String) throws(SystemCallError) {
        try makeFolder()
        let new = path + ".new"
        // Remove the leftover of a crash.
        unlink(new)
        try Self.create(new, Array(text.utf8))
        try SystemCallError.check { rename(new, path) }
        try syncFolder()
    }

    /// Removes the file permanently; a missing file is not an error.
    func remove() throws(SystemCallError) {
        do throws(SystemCallError) {
            try SystemCallError.check { unlink(path) }
        } catch  where error.number == ENOENT {
            return
        }
        try syncFolder()
    }

    /// Creates a file that only the user can read, or none after a failure.
    ///
    /// - Parameter isDurable: Whether its content is on the disk when the call returns.
    static func create(
        _ path: String, _ bytes: [UInt8], isDurable: Bool = true
    ) throws(SystemCallError) {
        let descriptor = try SystemCallError.check {
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        do throws(SystemCallError) {
            defer { close(descriptor) }
            try SystemCallError.check { fchmod(descriptor, 0o600) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = try SystemCallError.check {
                    rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                }
                rest = rest.dropFirst(count)
            }
            if isDurable { try SystemCallError.check { fsync(descriptor) } }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Reads bytes up to the end of a file, or up to a number.
    static func read(from descriptor: Int32, atMost maximum: Int) throws(SystemCallError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximum)
        var count = 0
        while count < maximum {
            let part = try SystemCallError.check {
                bytes.withUnsafeMutableBytes { room in
                    Glibc.read(descriptor, room.baseAddress.map { $0 + count }, room.count - count)
                }
            }
            if part == 0 { break }
            count += part
        }
        return Array(bytes.prefix(count))
    }

    /// Returns the names in a folder; none if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Creates the folder and its missing parents for the user alone (XDG Base Directory 0.8).
    func makeFolder() throws(SystemCallError) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw SystemCallError() }
        }
        try SystemCallError.check { chmod(folder, 0o700) }
    }

    /// Waits until the content is on the disk.
    func sync() throws(SystemCallError) { try Self.sync(path, O_NOFOLLOW) }

    /// Waits until the names of the files in the folder are on the disk.
    func syncFolder() throws(SystemCallError) { try Self.sync(folder, O_DIRECTORY) }

    private static func sync(_ path: String, _ flags: Int32) throws(SystemCallError) {
        let descriptor = try SystemCallError.check { open(path, O_RDONLY | O_CLOEXEC | flags) }
        defer { close(descriptor) }
        try SystemCallError.check { fsync(descriptor) }
    }
}
