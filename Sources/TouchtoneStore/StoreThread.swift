// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import TouchtoneCore

extension SerialWork {
    /// Work of the store's, which waits for disks, keyrings and hashes.
    ///
    /// - Parameter thread: its name in ps(1) and debuggers; 15 bytes at most.
    static func make(thread name: String) -> SerialWork {
        SerialWork { body in
            let work = Unmanaged.passRetained(Work(body))
            let thread = g_thread_try_new(
                name,
                { data in
                    if let data { Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body() }
                    return nil
                }, work.toOpaque(), nil)
            guard let thread else {
                work.release()
                return false
            }
            g_thread_unref(thread)
            return true
        }
    }
}

private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
