// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// A test's own file system with little room.
final class SmallDisk {
    let folder: String

    /// Whether this process may mount one; if it is required, it is tried in any case.
    static let isPossible: Bool = Peer.isRequired || (try? SmallDisk(kilobytes: 64)) != nil

    init(kilobytes: Int) throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("touchtone-disk-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            _ = try output(of: ["mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "touchtone", folder])
        } catch {
            rmdir(folder)
            throw error
        }
    }

    deinit {
        _ = try? output(of: ["umount", "-l", folder])
        rmdir(folder)
    }

    /// Makes the disk read-only or writable.
    func setReadOnly(_ isReadOnly: Bool) throws {
        _ = try output(of: ["mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", folder])
    }

    /// Fills the disk except for some room.
    func fill(leaving bytes: Int = 0) throws {
        let descriptor = open("\(folder)/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, block, block.count) == block.count {}
        var status = stat()
        fstat(descriptor, &status)
        ftruncate(descriptor, max(0, status.st_size - off_t(bytes)))
    }

    /// Makes room again.
    func empty() { unlink("\(folder)/filler") }
}
