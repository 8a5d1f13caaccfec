// SPDX-License-Identifier: GPL-3.0-or-later

/// Locks the phone when it has not been used for a while.
///
/// An input only records its time; the timer is set only while the phone has a passcode and is not locked.
@MainActor
public final class IdleLock {
    /// The time for which the phone may be idle; nil is unlimited.
    public var limit: Duration? { didSet { arm() } }

    /// Whether the phone is in a call, which counts as activity; the idle time begins when this ends.
    public var isInUse = false {
        didSet {
            guard isInUse != oldValue else { return }
            reset()
        }
    }

    private let lock: Lock
    private let clock: any Scheduler
    private var lastInput: Duration
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.check() }

    /// Creates a timer without a limit; the clock includes suspended time, since the phone is idle then.
    public init(lock: Lock, clock: any Scheduler) {
        self.lock = lock
        self.clock = clock
        lastInput = clock.now
        // Unlocking the phone or setting a passcode is a use of it.
        lock.observe(by: self) { [weak self] in self?.reset() }
    }

    /// Records an input, or locks the phone if the limit has expired: after a suspension, an input can arrive
    /// before the timer fires.
    public func recordInput() {
        if let end, end <= clock.now { lock.lock() } else { lastInput = clock.now }
    }

    /// The time at which the phone locks without further input; nil is never.
    private var end: Duration? {
        lock.isSet && !lock.isLocked && !isInUse ? limit.map { lastInput + $0 } : nil
    }

    private func reset() {
        lastInput = clock.now
        arm()
    }

    private func arm() { timer.set(for: end) }

    private func check() {
        if let end, end <= clock.now { lock.lock() } else { arm() }
    }
}
