// SPDX-License-Identifier: GPL-3.0-or-later

/// The passcode lock: what it shows, and what it lets through.
///
/// The window tells it which keys are pressed, and shows what `state` says.
@MainActor
public final class Lock {
    /// What the lock is at.
    public enum State: Hashable, Sendable {
        /// The phone can be used.
        case open
        /// A passcode is awaited, and so many digits of it are there.
        case locked(entered: Int)
        /// All digits are there, and are being compared.
        case checking
        /// The passcode was wrong; that is to be seen for half a second.
        case refused
        /// Too many attempts have failed: no key works for so many seconds.
        case lockedOut(seconds: Int)
        /// The passcode can't be checked, so nothing opens the phone.
        case unusable(PasscodeFault)
    }

    /// What the lock is at.
    public private(set) var state = State.open

    /// Why the last attempt could not be made; nil after one that was.
    public private(set) var trouble: PasscodeError?

    private let keeper: PasscodeVerifier
    private let clock: any Scheduler
    private let sounds: any SoundOutput
    private var entered: [UInt8] = []
    /// Digits that were typed while the passcode before them was being checked.
    private var ahead: [UInt8] = []
    /// Whether the phone is to be locked again, should the passcode that is being checked be right.
    private var locksAgain = false
    private var timer: (any ScheduledTimer)?
    private let observers = Observers<Void>()

    /// How long a wrong passcode is seen.
    static let refusal: Duration = .milliseconds(500)

    /// Creates the lock, which is locked if a passcode is set.
    public init(
        store: any PasscodeStore, clock: any Scheduler, boot: any BootClock,
        sounds: any SoundOutput
    ) {
        keeper = PasscodeVerifier(store: store, boot: boot)
        self.clock = clock
        self.sounds = sounds
        lock()
    }

    /// Every key makes the same click, since touch tones would tell the passcode.
    private func click() { sounds.play(.keyClick, on: .tones) }

    /// Calls `body` now and after each change, as long as `owner` is there.
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

// MARK: - What is known

extension Lock {
    /// Whether there is a passcode to lock the phone with.
    public var isSet: Bool { keeper.isSet }

    /// Whether the phone can't be used.
    public var isLocked: Bool { state != .open }

    /// Who keeps the passcode; nil where none is set, or its record is damaged.
    public var holder: PasscodeHolder? { keeper.mark?.holder }

    /// How many digits the passcode has; the usual number where that is not known.
    public var length: Int { keeper.mark?.digits ?? Passcode.usualLength }

    /// The failed attempts in a row.
    public var attempts: Attempts { keeper.attempts }

    /// The files of the lock, for a person to be told of.
    public var files: [String] { keeper.store.files }

    /// Whether keys can be pressed.
    public var takesKeys: Bool {
        switch state {
        case .locked, .checking, .refused: true
        case .open, .lockedOut, .unusable: false
        }
    }
}

// MARK: - Locking, and what is pressed

extension Lock {
    /// Locks the phone.
    ///
    /// - Returns: whether it is locked now; without a passcode it can't be.
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

    /// A digit, 0 to 9, is clicked or typed.
    public func press(_ digit: Int) {
        guard takesKeys, let digit = UInt8(exactly: digit), digit <= 9 else { return }
        click()
        enter(digit)
    }

    /// The last digit goes.
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
                try await keeper.check(passcode)
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

    /// Awaits a passcode, or the end of the wait that is on.
    private func rest() {
        timer?.cancel()
        timer = nil
        // It was removed while the phone locked.
        guard isSet else { return open() }
        if let fault = keeper.fault { return become(.unusable(fault)) }
        let left = keeper.left.milliseconds(rounded: .up)
        guard left > 0 else { return become(.locked(entered: entered.count)) }
        (entered, ahead) = ([], [])
        // To the moment at which the next lower second is shown.
        timer = clock.schedule(after: .milliseconds((left - 1) % 1000 + 1)) { [weak self] in
            self?.keeper.recordWait()
            self?.rest()
        }
        become(.lockedOut(seconds: Int((left + 999) / 1000)))
    }
}

// MARK: - Setting a passcode

extension Lock {
    /// Sets the first passcode.
    public func set(new: Passcode) async throws(PasscodeError) {
        guard !isLocked else { throw .lockedOut }
        try await keeper.set(new)
        notify()
    }

    /// Sets another passcode.
    ///
    /// - Throws: `wrong` where `old` is not the one that is set. That counts as an attempt, and the fifth in a row
    ///   locks the phone, which is `lockedOut`.
    public func change(old: Passcode, new: Passcode) async throws(PasscodeError) {
        try await changing { () throws(PasscodeError) in try await keeper.change(from: old, to: new) }
    }

    /// Removes the passcode; the phone can't be locked any more.
    ///
    /// - Throws: `wrong` and `lockedOut`, as `change(old:new:)` does.
    public func remove(old: Passcode) async throws(PasscodeError) {
        try await changing { () throws(PasscodeError) in try await keeper.remove(old) }
    }

    private func changing(_ change: () async throws(PasscodeError) -> Void) async throws(PasscodeError) {
        guard !isLocked else { throw .lockedOut }
        defer { notify() }
        do throws(PasscodeError) {
            try await change()
            // It was locked meanwhile: what is awaited now is another passcode, or none. A check comes to its own end.
            if isLocked, state != .checking { reset() }
        } catch {
            if error == .lockedOut { lock() }
            throw error
        }
    }
}
