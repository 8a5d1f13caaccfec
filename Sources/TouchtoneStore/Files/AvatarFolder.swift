// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc
internal import Synchronization

/// A folder of pictures, each in a file that is named by the SHA-1 of its content.
///
/// The name also checks the content, so nothing is synchronized to the disk. All functions may block.
final class AvatarFolder: Sendable {
    /// The default limits: the number of pictures, and their total size in bytes.
    static let (standardCount, standardSize) = (5000, Int64(32 << 20))
    /// The size in bytes above which a file is not read.
    private static let longest = 1 << 20

    private struct Usage {
        private(set) var count: Int
        private(set) var size: Int64

        init(of entries: [Entry]) {
            count = entries.count
            size = entries.reduce(0) { $0 + $1.size }
        }

        mutating func add(_ bytes: Int) {
            count += 1
            size += Int64(bytes)
        }

        mutating func remove(_ entry: Entry) {
            count -= 1
            size -= entry.size
        }
    }

    private struct Entry {
        let name: String
        let used: timespec
        let size: Int64
    }

    private let path: String
    private let maximumCount: Int
    private let maximumSize: Int64
    /// The estimated contents of the folder, which never understate it; nil until it has been read.
    private let usage = Mutex<Usage?>(nil)

    init(path: String, maximumCount: Int, maximumSize: Int64) {
        (self.path, self.maximumCount, self.maximumSize) = (path, maximumCount, maximumSize)
    }

    /// Returns a picture, and marks it as used; a damaged file is removed.
    func picture(named name: String) -> [UInt8]? {
        guard Self.isName(name) else { return nil }
        let file = "\(path)/\(name)"
        // Do not follow a link, and do not wait for a writer of a pipe.
        let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = Self.content(of: descriptor), Self.hash(bytes) == name else {
            unlink(file)
            return nil
        }
        futimens(descriptor, nil)
        return bytes
    }

    /// Writes a picture, and removes those that were used longest ago if there are too many.
    func keep(_ picture: [UInt8], named name: String) throws(SystemCallError) {
        guard Self.isName(name), Self.hash(picture) == name, picture.count <= Self.longest,
            Int64(picture.count) <= maximumSize, maximumCount > 0
        else { return }
        try write(picture, named: name)
        usage.withLock { usage in
            if usage == nil { usage = Usage(of: entries()) } else { usage?.add(picture.count) }
            if let full = usage, full.count > maximumCount || full.size > maximumSize {
                usage = trim()
            }
        }
    }

    func removeAll() {
        for entry in entries() { unlink("\(path)/\(entry.name)") }
        unlink(temporary)
        rmdir(path)
        usage.withLock { $0 = nil }
    }

    private var temporary: String { "\(path)/.new" }

    private func write(_ bytes: [UInt8], named name: String) throws(SystemCallError) {
        try PrivateFile(folder: path, name: name).makeFolder()
        // Remove the leftover of a crash.
        unlink(temporary)
        try PrivateFile.create(temporary, bytes, isDurable: false)
        do throws(SystemCallError) {
            try SystemCallError.check { rename(temporary, "\(path)/\(name)") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the pictures that were used longest ago, some more than necessary, because each trim reads the folder.
    private func trim() -> Usage {
        let entries = entries().sorted {
            ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec)
        }
        var rest = Usage(of: entries)
        guard rest.count > maximumCount || rest.size > maximumSize else { return rest }
        // The newest picture stays.
        for entry in entries.dropLast() {
            guard rest.count > maximumCount / 4 * 3 || rest.size > maximumSize / 4 * 3 else { break }
            if unlink("\(path)/\(entry.name)") == 0 { rest.remove(entry) }
        }
        return rest
    }

    private func entries() -> [Entry] {
        PrivateFile.names(in: path).compactMap { name in
            var status = stat()
            guard Self.isName(name), lstat("\(path)/\(name)", &status) == 0 else { return nil }
            return Entry(name: name, used: status.st_mtim, size: Int64(status.st_size))
        }
    }

    /// Whether a text is a SHA-1 in lower-case hex, and so a name without a path.
    private static func isName(_ text: String) -> Bool {
        text.utf8.count == 40 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    static func hash(_ bytes: [UInt8]) -> String? {
        let hash = g_compute_checksum_for_data(G_CHECKSUM_SHA1, bytes, gsize(bytes.count))
        defer { g_free(hash) }
        return hash.map { String(cString: $0) }
    }

    /// Returns the content of a regular file; nil if it is empty, too long or unreadable.
    private static func content(of descriptor: Int32) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...longest).contains(Int(status.st_size))
        else { return nil }
        let bytes = try? PrivateFile.read(from: descriptor, atMost: Int(status.st_size))
        return bytes?.count == Int(status.st_size) ? bytes : nil
    }
}
