// SPDX-License-Identifier: GPL-3.0-or-later

/// Has passcodes compared, and counts the attempts.
///
/// Each attempt is counted as failed, and that is on the disk, before the passcode is compared: who ends the program in
/// the middle of one has had it.
@MainActor
final class PasscodeVerifier {
    /// The passcode that is set, as far as it is known.
    private(set) var mark: PasscodeMark?
    /// Why the passcode can't be checked.
    private(set) var fault: PasscodeFault?
    private(set) var attempts = Attempts()
    /// Whether a passcode is being compared or set.
    private(set) var isBusy = false
    let store: any PasscodeStore
    private let boot: any BootClock
    private var saved = Duration.zero

    /// How much of a wait a power cut can add to it: it is written down so often.
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
            // After another start of the machine, what was left is left from now on.
            self.attempts.carry(to: boot.moment)
            if self.attempts != attempts { saveSoon() }
        }
    }

    /// Whether there is a passcode, known or not.
    var isSet: Bool { mark != nil || fault != nil }

    /// How much is left of the wait; zero where none is on.
    var left: Duration { attempts.left(at: boot.moment) }

    /// Has the wait written down where it is time to: every so often, and at its end.
    func recordWait() {
        guard attempts.wait != nil, left == .zero || saved - left >= Self.saveInterval else { return }
        attempts.carry(to: boot.moment)
        saveSoon()
    }

    private func save() async throws(PasscodeError) {
        guard let mark else { return }
        saved = attempts.wait?.left ?? .zero
        try await store.save(LockRecord(mark: mark, attempts: attempts))
    }

    /// Writes what harms nobody if it is not written: the record on the disk is then the stricter one.
    private func saveSoon() {
        Task { try? await save() }
    }
}

// MARK: - Comparing

extension PasscodeVerifier {
    /// Compares a passcode, and counts the attempt.
    ///
    /// - Throws: `wrong` or `lockedOut` after a failure; anything else says that there was no verdict, and no attempt.
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
            // What can't be counted can't be tried.
            attempts = before
            throw error
        }
        switch await store.verify(passcode, for: mark) {
        case .right: attempts = Attempts()
        case .wrong: throw attempts.wait == nil ? .wrong(attemptsLeft: attempts.leftInRound) : .lockedOut
        case let other: try await takeBack(to: before, other)
        }
        // Where it can't be written, the attempts before stay counted.
        try? await save()
        return mark
    }

    /// There was no verdict, and so no attempt.
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

    /// Sets another passcode, if the old one is right.
    func change(from old: Passcode, to new: Passcode) async throws(PasscodeError) {
        try begin()
        defer { isBusy = false }
        let replaced = try await compare(old)
        mark = try await store.set(new, replacing: replaced)
    }

    /// Removes the passcode, if it is right.
    func remove(_ old: Passcode) async throws(PasscodeError) {
        try begin()
        defer { isBusy = false }
        try await store.remove(try await compare(old))
        mark = nil
    }
}
