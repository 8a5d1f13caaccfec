// SPDX-License-Identifier: GPL-3.0-or-later

import RecordedSound
import Synchronization

/// A search that blocks, on a thread of its own.
final class Search<Result: Sendable>: Sendable {
    private let found = Mutex<Result?>(nil)

    /// Starts a search; `fallback` is the result if there is no thread for it.
    init(otherwise fallback: Result, _ find: @escaping @Sendable () -> Result) {
        let isStarted = DetachedThread.start {
            let result = find()
            self.found.withLock { $0 = result }
        }
        if !isStarted { found.withLock { $0 = fallback } }
    }

    /// The result; nil while the search goes on.
    var result: Result? { found.withLock { $0 } }
}
