// SPDX-License-Identifier: GPL-3.0-or-later

internal import Synchronization

/// A search that waits for the store’s thread or runs there, and may be cancelled on any other.
final class CancellableSearch: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
