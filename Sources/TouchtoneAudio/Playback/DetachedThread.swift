// SPDX-License-Identifier: GPL-3.0-or-later

import CAudioShims
import Glibc

/// A thread of its own for work that blocks, or that must not wait for the pool of Swift's tasks.
enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, which ends by itself.
    ///
    /// - Parameter name: shows in ps(1) and debuggers; 15 bytes at most.
    ///
    /// - Returns: false if the system has no thread left; `body` is then not run.
    @discardableResult
    static func run(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(
            Work {
                caudio_name_thread(name)
                body()
            })
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
