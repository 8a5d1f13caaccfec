// SPDX-License-Identifier: GPL-3.0-or-later

/// Verifies passcodes, and counts the attempts.
///
/// Each attempt is saved as failed before the check, so that quitting in between does not avoid the penalty.
@MainActor
final class PasscodeVerifier {
    /// The mark of the passcode that is set; nil if none is set or it is not known.
    private(set) var mark: PasscodeMark?
    /// The reason why the passcode cannot be checked; nil if it can.
    private(set) var fault: PasscodeFault?
    private(set) var attempts = Attempts()
    /// Whether a passcode is being checked or set.
    private(set) var isBusy = false
    let store: any PasscodeStore
    private let boot: any BootClock
    private var saved = Duration.zero

    /// The greatest time that a power failure can add to a wait: the interval at which it is saved.
    static let saveInterval: Duration = .seconds(15)

    init(store: any PasscodeStore, boot: any BootClock) {
        self.store = store
        self.boot = boot
        switch store.load() {
        case .none: break
        case .unusable(let fault): self.fault = fault
        case .found(let mark, let attempts):
            self.mark = mark
            self.attempts = attempts ?? .unknown(at: boot.moment)
            // After a restart of the machine, the wait continues from now on.
            self.attempts.rebase(to: boot.moment)
            if self.attempts != attempts { saveSoon() }
        }
    }

    /// Whether a passcode is set, even if it cannot be checked.
    var isSet: Bool { mark != nil || fault != nil }

    /// The time left of the wait; zero if there is none.
    var left: Duration { attempts.left(at: boot.moment) }

    /// Saves the wait if the interval has passed, or if the wait is over.
    func recordWait() {
        guard attempts.wait != nil, left == .zero || saved - left >= Self.saveInterval else { return }
        attempts.rebase(to: boot.moment)
        saveSoon()
    }

    private func save() async throws(PasscodeError) {
        guard let mark else { return }
        saved = attempts.wait?.left ?? .zero
        try await store.save(LockRecord(mark: mark, attempts: attempts))
    }

    /// Saves without waiting; if this fails, the record on the disk is the stricter one.
    private func saveSoon() {
        Task { try? await save() }
    }
}

// MARK: - Checking

extension PasscodeVerifier {
    /// Checks a passcode, and counts the attempt.
    ///
    /// - Throws: `wrong` or `lockedOut`; any other error means that there was no verdict, and no attempt.
    func check(_ passcode: Passcode) async throws(PasscodeError) {
        try begin()
        defer { isBusy = false }
        try await compare(passcode)
    }

    private func begin() throws(PasscodeError) {
        guard !isBusy else { throw .busy }
        isBusy = true
    }

    @discardableResult
    private func compare(_ passcode: Passcode) async throws(PasscodeError) -> PasscodeMark {
        guard let mark else { throw fault.map(PasscodeError.unusable) ?? .notSet }
        let before = attempts
        attempts.begin(at: boot.moment)
        do throws(PasscodeError) {
            try await save()
        } catch {
            // An attempt that cannot be counted must not be made.
            attempts = before
            throw error
        }
        switch await store.verify(passcode, for: mark) {
        case .right: attempts = Attempts()
        case .wrong:
            throw attempts.wait == nil ? .wrong(attemptsLeft: attempts.leftBeforeLockout) : .lockedOut
        case let other: try await takeBack(to: before, other)
        }
        // If this fails, the earlier attempts remain counted.
        try? await save()
        return mark
    }

    /// Restores the attempts, because there was no verdict.
    private func takeBack(to before: Attempts, _ verdict: PasscodeVerdict) async throws(PasscodeError) {
        attempts = before
        var error = PasscodeError.busy
        switch verdict {
        case .length(let digits):
            mark = mark.flatMap { PasscodeMark(id: $0.id, holder: $0.holder, digits: digits) }
            error = .otherLength(digits)
        case .unusable(let fault):
            self.fault = fault
            error = .unusable(fault)
        case .unavailable(let reason): error = reason
        case .right, .wrong: return
        }
        try? await save()
        throw error
    }
}

// MARK: - Setting

extension PasscodeVerifier {
    /// Sets the first passcode.
    func set(_ new: Passcode) async throws(PasscodeError) {
        guard !isSet else { throw .alreadySet }
        try begin()
        defer { isBusy = false }
        mark = try await store.set(new, replacing: nil)
        attempts = Attempts()
    }

    /// Changes the passcode if the old one is right.
    func change(from old: Passcode, to new: Passcode) async throws(PasscodeError) {
        try begin()
        defer { isBusy = false }
        let replaced = try await compare(old)
        mark = try await store.set(new, replacing: replaced)
    }

    /// Removes the passcode if it is right.
    func remove(_ old: Passcode) async throws(PasscodeError) {
        try begin()
        defer { isBusy = false }
        try await store.remove(try await compare(old))
        mark = nil
    }
}
