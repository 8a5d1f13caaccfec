// SPDX-License-Identifier: GPL-3.0-or-later

import CGLibShims
import Glibc

/// A file that is only in memory, to be shared with a process that this one starts (memfd_create(2)).
public final class MemoryFile {
    private let descriptor: Int32

    /// Creates an empty file, named for lists of open files; nil if no descriptor or memory is left.
    public init?(_ name: String) {
        descriptor = cglib_memory_file(name)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// A new descriptor for the other process, which the caller closes; nil if the system has none left.
    public func copy() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    /// Returns the number that the file begins with, of eight bytes in the processor's order; nil if it is shorter.
    public func readNumber() -> Int64? {
        var number: Int64 = 0
        let size = MemoryLayout.size(ofValue: number)
        return pread(descriptor, &number, size, 0) == size ? number : nil
    }
}
