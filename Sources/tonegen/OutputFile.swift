// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import TouchtoneCore

enum OutputFile {
    /// Creates a folder and its parents, if they do not exist.
    static func makeFolder(_ path: String) throws(CommandError) {
        var parents = path.split(separator: "/", omittingEmptySubsequences: true)
        parents.removeLast(min(1, parents.count))
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in parents {
            parent += name + "/"
            _ = mkdir(parent, 0o777)
        }
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw CommandError(
            localized("cannot create the folder “{folder}”: {reason}", ["folder": path, "reason": reason]))
    }

    /// Writes a file, and replaces an existing one.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        guard let file = fopen(path, "wbe") else { throw CommandError.unwritable(path) }
        let written = fwrite(bytes, 1, bytes.count, file)
        // A full disk may be reported only here.
        guard fclose(file) == 0, written == bytes.count else { throw CommandError.unwritable(path) }
    }

    /// The system's description of the last error.
    static var reason: String { String(cString: strerror(errno)) }
}
