// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import Synchronization
internal import TouchtoneCore

/// The store's own thread.
///
/// What is asked while it is busy is done together when it is free: that is what makes a burst of messages
/// one transaction.
final class StoreWorker: Sendable {
    private let work = BackgroundThread("store")
    private let waiting = Mutex<[StoreRequest]>([])
    /// Used on the thread alone: nobody ever waits for it.
    private let keeper: Mutex<StoreSession>

    init(file: StoreFile) { keeper = Mutex(StoreSession(file: file)) }

    /// Has something done after all that was added before.
    func add(_ request: StoreRequest) {
        let isFirst = waiting.withLock {
            $0.append(request)
            return $0.count == 1
        }
        guard isFirst else { return }
        work.add { [self] in
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            keeper.withLock { $0.serve(all) }
        }
    }

    /// Closes the file after all that was added before.
    ///
    /// - Parameter then: called on the store's thread.
    func close(completion: @escaping @Sendable () -> Void = {}) {
        work.add { [self] in
            keeper.withLock { $0.close() }
            completion()
        }
    }
}
