// SPDX-License-Identifier: GPL-3.0-or-later

internal import CGLibShims
internal import Synchronization

/// Work that blocks, done one piece after the other on a thread that exists only while there is work.
///
///     let disk = BackgroundThread("store")
///     let messages = await disk.run { readMessages() }
///
/// No queue of libdispatch's serves: once its pool has had a thread, it looks after the pool every second for as long as
/// the program runs, and that wakes a machine at rest. Work cannot be cancelled. Any thread may add some.
public final class BackgroundThread: Sendable {
    /// Starts a thread that runs a closure; false if the system has none left.
    typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Bool

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let start: Start

    /// Creates it without a thread, since there is no work yet.
    ///
    /// - Parameter name: the thread's name in ps(1) and debuggers; 15 bytes at most.
    public convenience init(_ name: String) {
        self.init { Self.start(name, $0) }
    }

    init(start: @escaping Start) { self.start = start }

    /// Does a piece of work on the thread, after all that were added before.
    ///
    /// If the system has no thread left, the calling thread does it before this returns.
    public func add(_ piece: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(piece)
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFirst else { return }
        if !start({ [self] in work() }) { work() }
    }

    /// Does a piece of work as `add` does, and returns its result to the caller's actor.
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

    /// Runs a closure on a thread of its own, which then ends.
    ///
    /// The thread is an ordinary one, also if a real-time thread starts it.
    ///
    /// - Parameter name: its name in ps(1) and debuggers; 15 bytes at most.
    /// - Returns: false if the system has no thread left; the closure is then not run.
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

/// The closure of a thread, with an address for C to hold.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
