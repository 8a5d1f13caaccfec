// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

enum ProcessThreads {
    /// Returns the kernel's identifiers of the threads with this name; empty without /proc.
    static func named(_ name: String) -> [pid_t] {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var threads: [pid_t] = []
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                pid_t(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
            if let number, self.name(of: number) == name { threads.append(number) }
        }
        return threads
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
