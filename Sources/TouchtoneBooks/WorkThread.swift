// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGio
internal import TouchtoneCore

/// Threads of this module's own, as libdispatch's are not used.
enum WorkThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread that then ends.
    ///
    /// - Parameter name: in ps(1) and debuggers; 15 bytes at most.
    /// - Returns: false if the system has none left, and nothing was done.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
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
