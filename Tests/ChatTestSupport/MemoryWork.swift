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
    /// The number of queries whose callers have not gone on yet: a resumed task goes through the thread pool.
    private var unanswered = 0

    /// Whether requests wait, or callers for their answers.
    private var isBusy: Bool { !jobs.isEmpty || isWorking || unanswered > 0 }

    /// Runs a closure after all earlier requests.
    func later(_ job: @escaping @MainActor () -> Void) {
        jobs.append(job)
        work()
    }

    /// Runs a query after all earlier requests and returns its result.
    func answer<Value: Sendable>(_ body: @escaping @MainActor () -> Result<Value, StoreError>)
        async throws(StoreError) -> Value
    {
        unanswered += 1
        defer { unanswered -= 1 }
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            later { continuation.resume(returning: body()) }
        }
        return try result.get()
    }

    /// Returns when all requests so far, and those that followed from them, are answered.
    func idle() async {
        while isBusy {
            await Task.yield()
            if isHeld { return }
        }
        for _ in 0..<20 {
            await Task.yield()
            if isBusy { return await idle() }
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
