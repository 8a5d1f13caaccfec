// SPDX-License-Identifier: GPL-3.0-or-later

/// Locks the phone when nobody has used it for a while.
///
/// An input is only written down; one timer looks when the time may be over, and is set only while the phone can be
/// locked and is not.
@MainActor
public final class IdleLock {
    /// How long the phone may go unused; nil for as long as it likes.
    public var limit: Duration? { didSet { arm() } }

    /// Whether the phone is used without a hand on it: somebody is in a call.
    ///
    /// The time counts from its end.
    public var isInUse = false {
        didSet {
            guard isInUse != oldValue else { return }
            reset()
        }
    }

    private let lock: Lock
    private let clock: any Scheduler
    private var lastInput: Duration
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.look() }

    /// Watches over a lock, without a limit at first.
    ///
    /// - Parameter clock: counts the time in which the machine is suspended, too: nobody uses the phone in it.
    public init(lock: Lock, clock: any Scheduler) {
        self.lock = lock
        self.clock = clock
        lastInput = clock.now
        // Whoever has just opened the phone, or set a passcode, uses it.
        lock.observe(by: self) { [weak self] in self?.reset() }
    }

    /// Takes note that somebody uses the phone; locks it where that comes too late.
    ///
    /// After the machine was suspended an input can come before the timer does, and must not open what should be locked.
    public func recordInput() {
        if let end, end <= clock.now { lock.lock() } else { lastInput = clock.now }
    }

    /// When the phone is to be locked, unless somebody uses it before; nil for never.
    private var end: Duration? {
        lock.isSet && !lock.isLocked && !isInUse ? limit.map { lastInput + $0 } : nil
    }

    private func reset() {
        lastInput = clock.now
        arm()
    }

    private func arm() { timer.set(for: end) }

    private func look() {
        if let end, end <= clock.now { lock.lock() } else { arm() }
    }
}
