// SPDX-License-Identifier: GPL-3.0-or-later

/// Tells a buddy what I do about an answer, each thing once (XEP-0085 section 5).
@MainActor
final class TypingNotifier {
    private let clock: any Scheduler
    private let tell: @MainActor (Typing) -> Void
    private var told: Typing?
    private var lastKey: Duration = .zero
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.look() }

    init(clock: any Scheduler, tell: @escaping @MainActor (Typing) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// A key was pressed.
    ///
    /// It is only written down; the timer looks when the pause may be long enough.
    func typed() {
        lastKey = clock.now
        guard told != .composing else { return }
        say(.composing)
        look()
    }

    /// There is nothing typed any more.
    func end() {
        timer.set(for: nil)
        if told == .composing || told == .paused { say(.active) }
    }

    /// Somebody else is talked with.
    func leave() {
        timer.set(for: nil)
        // Who never said anything leaves nothing: that a conversation is looked at is nobody's business.
        if told != nil, told != .gone { say(.gone) }
    }

    private func look() {
        guard told == .composing else { return }
        guard clock.now - lastKey >= ChatTiming.pause else {
            return timer.set(for: lastKey + ChatTiming.pause)
        }
        say(.paused)
    }

    private func say(_ typing: Typing) {
        told = typing
        tell(typing)
    }
}
