// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What a store in memory is asked for: done later and in order, as a disk's thread does it.
@MainActor
final class MemoryWork {
    /// Whether nothing is done for now, as with a slow disk; what was asked for is done when that ends.
    var isHeld = false {
        didSet { if !isHeld { work() } }
    }
    private var jobs: [@MainActor () -> Void] = []
    private var isWorking = false

    /// Does something after all that was asked for before.
    func later(_ job: @escaping @MainActor () -> Void) {
        jobs.append(job)
        work()
    }

    /// Has a question answered after all that was asked for before.
    func answer<Value: Sendable>(_ body: @escaping @MainActor () -> Result<Value, StoreError>)
        async throws(StoreError) -> Value
    {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            later { continuation.resume(returning: body()) }
        }
        return try result.get()
    }

    /// Returns when all that was asked for so far was told, and what was asked for because of it.
    func idle() async {
        while !jobs.isEmpty || isWorking {
            await Task.yield()
            if isHeld { return }
        }
        for _ in 0..<20 {
            await Task.yield()
            if !jobs.isEmpty || isWorking { return await idle() }
        }
    }

    private func work() {
        guard !isWorking, !isHeld, !jobs.isEmpty else { return }
        isWorking = true
        Task {
            while !isHeld, !jobs.isEmpty {
                jobs.removeFirst()()
                await Task.yield()
            }
            isWorking = false
        }
    }
}
