// SPDX-License-Identifier: GPL-3.0-or-later

internal import Dispatch
internal import Synchronization
internal import TouchtoneCore

extension StoreProtection {
    /// Asks the user, and blocks the store's thread until the answer.
    ///
    /// All requests wait meanwhile, as they do for a slow disk, so that nothing is lost or shown as missing.
    nonisolated func decision(on problem: StoreKeyProblem) -> StoreKeyDecision {
        let answer = Answer()
        DispatchQueue.main.async {
            MainActor.assumeIsolated { self.ask(problem) { answer.give($0) } }
        }
        return answer.wait()
    }
}

/// The answer to a question, which another thread gives.
private final class Answer: Sendable {
    private let given = DispatchSemaphore(value: 0)
    private let value = Mutex(StoreKeyDecision.tryAgain)

    func give(_ decision: StoreKeyDecision) {
        value.withLock { $0 = decision }
        given.signal()
    }

    func wait() -> StoreKeyDecision {
        given.wait()
        return value.withLock { $0 }
    }
}
