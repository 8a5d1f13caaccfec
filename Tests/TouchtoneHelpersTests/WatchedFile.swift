// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import TestSupport

/// A file of a test, whose open descriptors in this process can be counted.
final class WatchedFile {
    private let path: String

    init() throws {
        path = try TemporaryFolders.make("touchtone-helper-tests") + "/file"
        try Data().write(to: URL(fileURLWithPath: path))
    }

    deinit { unlink(path) }

    /// A new descriptor of the file.
    func open() -> PassedDescriptor {
        PassedDescriptor(owning: Glibc.open(path, O_RDWR | O_APPEND | O_CLOEXEC))
    }

    /// The number of descriptors of the file that are open.
    var openCount: Int {
        var own = stat()
        guard stat(path, &own) == 0 else { return -1 }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count { name in
            var status = stat()
            guard let number = Int32(name), fstat(number, &status) == 0 else { return false }
            return status.st_ino == own.st_ino && status.st_dev == own.st_dev
        }
    }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
