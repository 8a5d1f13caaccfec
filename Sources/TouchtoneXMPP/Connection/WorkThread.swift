// SPDX-License-Identifier: GPL-3.0-or-later

import CGio

/// A thread for work that takes too long for the main loop.
///
/// Not one of Swift's pool: libdispatch, which has it, looks after it once a second from its first use on, for as long
/// as the program runs. At rest the program is to sleep.
enum WorkThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread, which then ends, and gives what it gives.
    nonisolated(nonsending) static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async
        -> Value
    {
        await withCheckedContinuation { continuation in
            let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
            let thread = g_thread_try_new(
                "touchtone-work",
                { data in
                    guard let data else { return nil }
                    Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body()
                    return nil
                }, work.toOpaque(), nil)
            if let thread {
                g_thread_unref(thread)
            } else {
                // The system has no thread left: late is better than never.
                work.takeRetainedValue().body()
            }
        }
    }
}
