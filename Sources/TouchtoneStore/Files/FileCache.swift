// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import Glibc

/// The downloaded files: each in a folder of its own, which is named by the hash of the file’s address.
///
/// All functions may block.
struct FileCache: Sendable {
    let folder: String
    /// The total size in bytes above which the oldest files are removed.
    let size: Int64

    func makeFolder(for url: String) throws(SystemCallError) -> String {
        let path = self.path(of: url)
        try PrivateFile(folder: path, name: "").makeFolder()
        return path
    }

    /// Returns the downloaded file of an address, and marks it as used.
    func file(of url: String) -> String? {
        let folder = path(of: url)
        guard let name = names(in: folder).first else { return nil }
        utimensat(AT_FDCWD, folder, nil, 0)
        return "\(folder)/\(name)"
    }

    /// Removes the folders that were used longest ago until the rest is small enough.
    func trim(keeping urls: Set<String>) {
        let kept = Set(urls.map(path))
        var entries: [(path: String, used: Int, size: Int64)] = []
        var total: Int64 = 0
        for name in PrivateFile.names(in: folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
            let size = PrivateFile.names(in: path).reduce(Int64(0)) { $0 + self.size(of: "\(path)/\($1)") }
            total += size
            entries.append((path, status.st_mtim.tv_sec, size))
        }
        for entry in entries.sorted(by: { $0.used < $1.used })
        where total > size && !kept.contains(entry.path) {
            removeFolder(entry.path)
            total -= entry.size
        }
    }

    /// Removes the downloaded file of an address.
    func remove(_ url: String) { removeFolder(path(of: url)) }

    private func removeFolder(_ path: String) {
        for name in PrivateFile.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private func path(of url: String) -> String {
        let hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, url, -1)
        defer { g_free(hash) }
        return "\(folder)/" + (hash.map { String(cString: $0) } ?? "")
    }

    private func size(of path: String) -> Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Returns the complete files of a folder: the name of an incomplete one starts with a dot.
    private func names(in folder: String) -> [String] {
        PrivateFile.names(in: folder).filter { !$0.hasPrefix(".") && size(of: "\(folder)/\($0)") > 0 }
    }
}
