// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The queue of requests to a store in memory, which runs them later and in order like the thread of a store on disk.
@MainActor
final class MemoryWork {
    /// Whether requests are held back, as by a slow disk; they run when this ends.
    var isHeld = false {
        didSet { if !isHeld { work() } }
    }
    private var jobs: [@MainActor () -> Void] = []
    private var isWorking = false

    /// Runs a closure after all earlier requests.
    func later(_ job: @escaping @MainActor () -> Void) {
        jobs.append(job)
        work()
    }

    /// Runs a query after all earlier requests and returns its result.
    func answer<Value: Sendable>(_ body: @escaping @MainActor () -> Result<Value, StoreError>)
        async throws(StoreError) -> Value
    {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            later { continuation.resume(returning: body()) }
        }
        return try result.get()
    }

    /// Returns when all requests so far, and those that followed from them, are answered.
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
