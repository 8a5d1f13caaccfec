// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc
import Synchronization

/// A search that blocks, on a thread of its own.
final class Search<Result: Sendable>: Sendable {
    private let found = Mutex<Result?>(nil)

    /// Starts a search; `fallback` is the result if there is no thread for it.
    init(otherwise fallback: Result, _ find: @escaping @Sendable () -> Result) {
        let work = Unmanaged.passRetained(
            Work {
                let result = find()
                self.found.withLock { $0 = result }
            })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        if status == 0 {
            pthread_detach(thread)
        } else {
            work.release()
            found.withLock { $0 = fallback }
        }
    }

    /// The result; nil while the search goes on.
    var result: Result? { found.withLock { $0 } }
}

/// The work of a thread, which a function of C cannot have as a closure.
private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
