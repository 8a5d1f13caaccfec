// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes me away when nobody uses the machine for a while.
///
/// That somebody does is only written down; one timer looks when the time may be over, and asks the desktop then. While
/// I am away nothing wakes the machine: that somebody is back has to be told.
@MainActor
public final class AutoAway {
    /// How long the machine may go unused; nil for as long as it likes.
    public var limit: Duration? { didSet { arm() } }
    /// How long nobody has used the machine, as the desktop knows it; nil where it does not say.
    public var idleTime: (@MainActor () async -> Duration?)?

    private let chat: Chat
    private let clock: any Scheduler
    private var lastInput: Duration
    private var isLocked = false
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.look() }

    /// The usual limit.
    public static let usualLimit: Duration = .seconds(600)

    /// Watches for a chat.
    public init(chat: Chat, clock: any Scheduler, limit: Duration? = usualLimit) {
        (self.chat, self.clock, self.limit) = (chat, clock, limit)
        lastInput = clock.now
        arm()
    }

    /// Somebody uses the machine.
    public func recordInput() {
        lastInput = clock.now
        guard chat.isIdle, !isLocked else { return }
        chat.isIdle = false
        arm()
    }

    /// The desktop is locked, or open again: nobody is here who could answer while it is.
    public func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        if isLocked { goAway() } else { recordInput() }
    }

    private func arm() { timer.set(for: chat.isIdle ? nil : limit.map { lastInput + $0 }) }

    private func goAway() {
        chat.isIdle = true
        timer.set(for: nil)
    }

    private func look() {
        guard !chat.isIdle, let limit else { return }
        guard clock.now - lastInput >= limit else { return arm() }
        guard let idleTime else { return goAway() }
        Task {
            let idle = await idleTime()
            // Something may have been pressed while the desktop was asked.
            lastInput = max(lastInput, idle.map { clock.now - $0 } ?? lastInput)
            if clock.now - lastInput >= limit { goAway() } else { arm() }
        }
    }
}
