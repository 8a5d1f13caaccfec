// SPDX-License-Identifier: GPL-3.0-or-later

private import Synchronization

/// Pieces of work that are done one after the other, on a thread that is there as long as there are any.
///
/// No queue of libdispatch's does: once its pool has had a thread, it looks after the pool every second for as long as
/// the program runs, and a machine that rests is woken by that.
public final class SerialWork: Sendable {
    /// Begins a thread that does that and ends; false if the system has none left.
    public typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Bool

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let start: Start

    /// Nothing is done yet, and there is no thread.
    public init(start: @escaping Start) { self.start = start }

    /// Has a piece of work done after all that were added before.
    ///
    /// Where the system has no thread left it is done before this returns.
    public func add(_ piece: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(piece)
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFirst else { return }
        if !start({ [self] in work() }) { work() }
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
}
