// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import Synchronization

/// A serial queue for blocking work, on a thread that exists only while there is work.
///
/// A libdispatch queue is no alternative: once its thread pool has had a thread, it checks the pool every second for as
/// long as the program runs, which wakes an idle machine. Work cannot be cancelled. Any thread may add work.
public final class BackgroundThread: Sendable {
    /// A function that starts a thread for a closure, and returns false if the system has no thread left.
    typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Bool

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let start: Start

    /// Creates a queue without a thread, whose name in ps(1) and debuggers has at most 15 bytes.
    public convenience init(_ name: String) {
        self.init { Self.start(name, $0) }
    }

    init(start: @escaping Start) { self.start = start }

    /// Runs a closure after all work added before; on the calling thread if the system has no thread left.
    public func add(_ piece: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(piece)
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFirst else { return }
        if !start({ [self] in work() }) { work() }
    }

    /// Runs a closure as `add` does, and returns its result to the caller's actor.
    public nonisolated(nonsending) func run<Value: Sendable>(
        _ piece: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in add { continuation.resume(returning: piece()) } }
    }

    private func work() {
        while let piece = next() { piece() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isUnderWay = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Runs a closure on a new thread, of ordinary priority even if a real-time thread starts it.
    ///
    /// Returns false, without running it, if the system has no thread left. The name has at most 15 bytes.
    @discardableResult
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(
            ThreadBody {
                cglib_name_thread(name)
                body()
            })
        let isStarted = cglib_start_thread(
            { data in
                if let data { Unmanaged<ThreadBody>.fromOpaque(data).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        if !isStarted { body.release() }
        return isStarted
    }
}

/// The closure of a thread, boxed as a C user-data pointer.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
