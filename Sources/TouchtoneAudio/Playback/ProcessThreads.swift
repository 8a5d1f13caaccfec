// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Glibc

enum ProcessThreads {
    /// Returns the kernel's identifiers of the threads with this name; empty without /proc.
    static func named(_ name: String) -> [pid_t] {
        Files.names(in: "/proc/self/task").compactMap { pid_t($0) }.filter { self.name(of: $0) == name }
    }

    /// Returns the name of a thread, or nil if it has ended.
    private static func name(of thread: pid_t) -> String? {
        let descriptor = open("/proc/self/task/\(thread)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
            let length = read(descriptor, buffer.baseAddress, buffer.count)
            guard length > 0 else { return nil }
            return String(decoding: buffer[..<length].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}
