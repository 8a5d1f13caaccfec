// SPDX-License-Identifier: GPL-3.0-or-later

internal import GLibBridge
internal import Synchronization
internal import TouchtoneCore

/// The store's own thread.
///
/// Requests that arrive while it is busy are handled together when it becomes free, so that a burst of messages is one
/// transaction.
final class StoreWorker: Sendable {
    private let work = BackgroundThread("store")
    private let waiting = Mutex<[StoreRequest]>([])
    /// The session, used only on the thread, so that its lock is never contended.
    private let session: Mutex<StoreSession>

    init(file: StoreFile, protection: StoreProtection, vault: any StoreKeyVault) {
        session = Mutex(StoreSession(file: file, protection: protection, vault: vault))
    }

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
            session.withLock { $0.serve(all) }
        }
    }

    /// Closes the file after all earlier requests; `completion` is called on the store's thread.
    func close(completion: @escaping @Sendable () -> Void = {}) {
        work.add { [self] in
            session.withLock { $0.close() }
            completion()
        }
    }
}
