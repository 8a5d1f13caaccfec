// SPDX-License-Identifier: GPL-3.0-or-later

internal import Synchronization

/// A search that waits for the store’s thread, and may be cancelled meanwhile on any other.
final class WaitingSearch: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
