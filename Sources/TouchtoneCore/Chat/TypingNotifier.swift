// SPDX-License-Identifier: GPL-3.0-or-later

/// A sender of chat states to a buddy, each of which is sent once (XEP-0085 section 5).
@MainActor
final class TypingNotifier {
    private let clock: any Scheduler
    private let tell: @MainActor (Typing) -> Void
    private var lastSent: Typing?
    private var lastKey: Duration = .zero
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.checkPause() }

    init(clock: any Scheduler, tell: @escaping @MainActor (Typing) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// Records the time of a key press; the running timer checks whether the pause is long enough.
    func typed() {
        lastKey = clock.now
        guard lastSent != .composing else { return }
        send(.composing)
        checkPause()
    }

    func end() {
        timer.set(for: nil)
        if lastSent == .composing || lastSent == .paused { send(.active) }
    }

    func leave() {
        timer.set(for: nil)
        // If nothing was sent before, the buddy must not learn that the conversation was open.
        if lastSent != nil, lastSent != .gone { send(.gone) }
    }

    private func checkPause() {
        guard lastSent == .composing else { return }
        guard clock.now - lastKey >= ChatTiming.pause else {
            return timer.set(for: lastKey + ChatTiming.pause)
        }
        send(.paused)
    }

    private func send(_ typing: Typing) {
        lastSent = typing
        tell(typing)
    }
}
