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
            noteInput()
            arm()
        }
    }

    private let lock: Lock
    private let clock: any PhoneClock
    private var lastInput: Duration
    private lazy var timer = DeadlineTimer(clock: clock) { [weak self] in self?.look() }

    /// Watches over a lock, without a limit at first.
    public init(lock: Lock, clock: any PhoneClock) {
        self.lock = lock
        self.clock = clock
        lastInput = clock.now
        // Whoever has just opened the phone, or set a passcode, uses it.
        lock.follow(self) { [weak self] in
            self?.noteInput()
            self?.arm()
        }
    }

    /// Somebody uses the phone.
    public func noteInput() { lastInput = clock.now }

    private func arm() {
        timer.set(for: lock.isSet && !lock.isLocked && !isInUse ? limit.map { lastInput + $0 } : nil)
    }

    private func look() {
        if let limit, clock.now - lastInput >= limit { lock.lock() } else { arm() }
    }
}
