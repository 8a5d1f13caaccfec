// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // pthread_attr_t, which Swift attributes to the first module that includes it
import CAudioShims
import Glibc

/// A separate thread for work that blocks or must not wait for Swift's thread pool.
enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread.
    ///
    /// - Parameter name: The name in ps(1) and debuggers, at most 15 bytes.
    ///
    /// - Returns: false if no thread could be created; `body` then does not run.
    @discardableResult
    static func run(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(
            Work {
                caudio_name_thread(name)
                body()
            })
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Do not inherit the priority of the audio thread.
        pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
        pthread_attr_setschedpolicy(&attributes, SCHED_OTHER)
        var priority = sched_param()
        pthread_attr_setschedparam(&attributes, &priority)
        let result = pthread_create(
            &thread, &attributes,
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
