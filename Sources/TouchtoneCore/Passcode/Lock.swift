// SPDX-License-Identifier: GPL-3.0-or-later

/// The passcode lock: the window passes on the keys that are pressed, and shows `state`.
@MainActor
public final class Lock {
    public enum State: Hashable, Sendable {
        case open
        /// The lock waits for a passcode, of which this number of digits was entered.
        case locked(entered: Int)
        /// All digits were entered, and are being checked.
        case checking
        /// The passcode was wrong; the state lasts for half a second.
        case refused
        /// Too many attempts have failed: the keys do not work for this number of seconds.
        case lockedOut(seconds: Int)
        /// The passcode cannot be checked, so that the phone cannot be unlocked.
        case unusable(PasscodeFault)
    }

    public private(set) var state = State.open

    /// The error that prevented the last check; nil if the last passcode was checked.
    public private(set) var trouble: PasscodeError?

    private let verifier: PasscodeVerifier
    private let clock: any Scheduler
    private let sounds: any SoundOutput
    private var entered: [UInt8] = []
    /// The digits that were typed while the previous passcode was being checked.
    private var ahead: [UInt8] = []
    /// Whether the phone locks again if the passcode that is being checked is right.
    private var locksAgain = false
    private var timer: (any ScheduledTimer)?
    private let observers = Observers<Void>()

    /// The time for which a wrong passcode is shown.
    static let refusal: Duration = .milliseconds(500)

    /// Creates the lock, which is locked if a passcode is set.
    public init(
        store: any PasscodeStore, clock: any Scheduler, boot: any BootClock,
        sounds: any SoundOutput
    ) {
        verifier = PasscodeVerifier(store: store, boot: boot)
        self.clock = clock
        self.sounds = sounds
        lock()
    }

    /// Plays the same click for every key, since touch tones would reveal the passcode.
    private func click() { sounds.play(.keyClick, on: .tones) }

    /// Calls `body` now and after each change, as long as `owner` exists.
    public func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void) {
        observers.add(owner) { _ in body() }
        body()
    }

    private func become(_ next: State) {
        state = next
        notify()
    }

    private func notify() { observers.notify(()) }
}

// MARK: - Properties

extension Lock {
    public var isSet: Bool { verifier.isSet }

    public var isLocked: Bool { state != .open }

    /// The holder of the passcode's hash; nil if no passcode is set, or if its record is damaged.
    public var holder: PasscodeHolder? { verifier.mark?.holder }

    /// The number of digits of the passcode; the usual number if it is not known.
    public var length: Int { verifier.mark?.digits ?? Passcode.usualLength }

    public var attempts: Attempts { verifier.attempts }

    /// The files of the lock, as shown to the user.
    public var files: [String] { verifier.store.files }

    public var takesKeys: Bool {
        switch state {
        case .locked, .checking, .refused: true
        case .open, .lockedOut, .unusable: false
        }
    }
}

// MARK: - Locking and Keys

extension Lock {
    /// Locks the phone, and returns whether it is locked now; without a passcode it cannot be.
    @discardableResult
    public func lock() -> Bool {
        guard isSet else { return false }
        guard state == .open else {
            locksAgain = state == .checking
            return true
        }
        trouble = nil
        rest()
        return true
    }

    /// Enters a digit, 0 to 9.
    public func press(_ digit: Int) {
        guard takesKeys, let digit = UInt8(exactly: digit), digit <= 9 else { return }
        click()
        enter(digit)
    }

    public func deleteLast() {
        guard takesKeys else { return }
        click()
        guard case .locked = state else {
            _ = ahead.popLast()
            return
        }
        if entered.popLast() != nil { become(.locked(entered: entered.count)) }
    }

    private func enter(_ digit: UInt8) {
        guard case .locked = state else {
            if ahead.count < length { ahead.append(digit) }
            return
        }
        entered.append(digit)
        guard entered.count == length, let passcode = Passcode(entered) else {
            return become(.locked(entered: entered.count))
        }
        locksAgain = false
        become(.checking)
        Task {
            do throws(PasscodeError) {
                try await verifier.check(passcode)
                if locksAgain { reset() } else { open() }
            } catch {
                fail(error)
            }
        }
    }

    private func open() {
        (entered, ahead, trouble) = ([], [], nil)
        become(.open)
    }

    private func reset() {
        (entered, ahead, trouble) = ([], [], nil)
        rest()
    }

    private func fail(_ error: PasscodeError) {
        switch error {
        case .wrong, .lockedOut: refuse()
        default:
            trouble = error
            (entered, ahead) = ([], [])
            rest()
        }
    }

    private func refuse() {
        trouble = nil
        sounds.play(.errorTone, on: .tones)
        become(.refused)
        timer = clock.schedule(after: Self.refusal) { [weak self] in
            guard let self else { return }
            let typed = ahead
            (entered, ahead) = ([], [])
            rest()
            for digit in typed where takesKeys { enter(digit) }
        }
    }

    /// Waits for a passcode, or for the end of the present wait.
    private func rest() {
        timer?.cancel()
        timer = nil
        // The passcode was removed while the phone locked.
        guard isSet else { return open() }
        if let fault = verifier.fault { return become(.unusable(fault)) }
        let left = verifier.left.milliseconds(rounded: .up)
        guard left > 0 else { return become(.locked(entered: entered.count)) }
        (entered, ahead) = ([], [])
        // The timer fires when the next lower second is to be shown.
        timer = clock.schedule(after: .milliseconds((left - 1) % 1000 + 1)) { [weak self] in
            self?.verifier.recordWait()
            self?.rest()
        }
        become(.lockedOut(seconds: Int((left + 999) / 1000)))
    }
}

// MARK: - Setting a Passcode

extension Lock {
    /// Sets the first passcode.
    public func set(new: Passcode) async throws(PasscodeError) {
        guard !isLocked else { throw .lockedOut }
        try await verifier.set(new)
        notify()
    }

    /// Changes the passcode, or throws `wrong`; that counts as an attempt, and the fifth consecutive failure
    /// locks the phone and throws `lockedOut`.
    public func change(old: Passcode, new: Passcode) async throws(PasscodeError) {
        try await changing { () throws(PasscodeError) in try await verifier.change(from: old, to: new) }
    }

    /// Removes the passcode, so that the phone cannot be locked; throws as `change(old:new:)` does.
    public func remove(old: Passcode) async throws(PasscodeError) {
        try await changing { () throws(PasscodeError) in try await verifier.remove(old) }
    }

    private func changing(_ change: () async throws(PasscodeError) -> Void) async throws(PasscodeError) {
        guard !isLocked else { throw .lockedOut }
        defer { notify() }
        do throws(PasscodeError) {
            try await change()
            // The phone was locked in the meantime, and now waits for the new passcode, or for none. A check that is in
            // progress updates the state itself.
            if isLocked, state != .checking { reset() }
        } catch {
            if error == .lockedOut { lock() }
            throw error
        }
    }
}
