// SPDX-License-Identifier: GPL-3.0-or-later

import CALSA  // pthread_attr_t, which Swift takes to be of the first module that includes it
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
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // An ordinary thread, also where the audio thread starts it.
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
