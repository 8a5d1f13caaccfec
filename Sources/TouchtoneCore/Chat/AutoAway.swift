// SPDX-License-Identifier: GPL-3.0-or-later

/// Sets the user’s availability to away after the machine has been idle for a while.
///
/// Input only records its time. One timer checks whether the limit may have passed, and then asks the desktop for its
/// idle time. While the user is away, no timer is set: `recordInput()` or `setLocked(_:)` ends the absence.
@MainActor
public final class AutoAway {
    /// The idle time after which the user is away; nil for never.
    public var limit: Duration? { didSet { arm() } }
    /// The function that returns the desktop’s idle time; its result is nil if the desktop does not report one.
    public var idleTime: (@MainActor () async -> Duration?)?

    private let messenger: Messenger
    private let clock: any Scheduler
    private var lastInput: Duration
    private var isLocked = false
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.checkIdleTime() }

    public static let usualLimit: Duration = .seconds(600)

    public init(_ messenger: Messenger, clock: any Scheduler, limit: Duration? = usualLimit) {
        (self.messenger, self.clock, self.limit) = (messenger, clock, limit)
        lastInput = clock.now
        arm()
    }

    /// Records that the user is using the machine, and ends an automatic absence.
    public func recordInput() {
        lastInput = clock.now
        guard messenger.isIdle, !isLocked else { return }
        messenger.isIdle = false
        arm()
    }

    /// Follows the desktop’s lock: the user is away while it is locked.
    public func setLocked(_ isLocked: Bool) {
        self.isLocked = isLocked
        if isLocked { goAway() } else { recordInput() }
    }

    private func arm() { timer.set(for: messenger.isIdle ? nil : limit.map { lastInput + $0 }) }

    private func goAway() {
        messenger.isIdle = true
        timer.set(for: nil)
    }

    private func checkIdleTime() {
        guard !messenger.isIdle, let limit else { return }
        guard clock.now - lastInput >= limit else { return arm() }
        guard let idleTime else { return goAway() }
        Task {
            let idle = await idleTime()
            // Input may have been recorded while the desktop was asked.
            lastInput = max(lastInput, idle.map { clock.now - $0 } ?? lastInput)
            if clock.now - lastInput >= limit { goAway() } else { arm() }
        }
    }
}
