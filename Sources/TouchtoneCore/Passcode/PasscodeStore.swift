// SPDX-License-Identifier: GPL-3.0-or-later

/// The passcode's hash and the lock's state; the `async` methods do not block the caller's thread.
@MainActor
public protocol PasscodeStore: AnyObject {
    /// Returns the stored state. It reads at most two small files synchronously, because the window's first frame
    /// depends on them.
    func load() -> PasscodeFinding

    /// Saves the lock's state, which is on the disk when the call returns. Calls take effect in their order.
    func save(_ record: LockRecord) async throws(PasscodeError)

    /// Compares a passcode with the hash, which is computed once; the time does not depend on the digits.
    func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict

    /// Stores the hash and the mark of a passcode, without failed attempts, in place of `old`.
    func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError) -> PasscodeMark

    func remove(_ mark: PasscodeMark) async throws(PasscodeError)

    /// The files of the lock, as shown to the user: deleting them removes the passcode.
    var files: [String] { get }
}

public enum PasscodeFinding: Hashable, Sendable {
    case none
    /// A passcode is set. The attempts are nil if their record is missing or invalid.
    case found(PasscodeMark, Attempts?)
    /// A passcode is set, but cannot be checked.
    case unusable(PasscodeFault)
}

/// A reason why the passcode cannot be checked, so that the phone stays locked.
public enum PasscodeFault: Hashable, Sendable {
    case missing
    /// The hash or its mark is invalid: incomplete, empty or garbage.
    case damaged
    /// The hash belongs to a different passcode.
    case another
    /// Other users could have changed the file.
    case unsafe
    /// The hash could not be read, so that its state is unknown.
    case unread
}

public enum PasscodeVerdict: Hashable, Sendable {
    case right
    case wrong
    /// The stored passcode has a different number of digits than its mark says.
    case length(Int)
    /// The passcode cannot be checked, now or later.
    case unusable(PasscodeFault)
    /// The passcode cannot be checked now.
    case unavailable(PasscodeError)
}

public enum PasscodeError: Error, Hashable, Sendable {
    case wrong(attemptsLeft: Int)
    /// Too many attempts have failed: the phone is locked, and the wait has begun.
    case lockedOut
    case notSet
    case alreadySet
    /// Another passcode is being checked or set.
    case busy
    /// The stored passcode has this number of digits.
    case otherLength(Int)
    case unusable(PasscodeFault)
    /// The keyring that has the hash is not available or does not respond; the reason is its own text.
    case noKeyring(reason: String)
    /// The keyring was not unlocked, or refused the request; the reason is its own text.
    case keyringRefused(reason: String)
    /// The hash could not be read; the reason is the system's text.
    case notRead(reason: String)
    /// The change could not be saved; the reason is the system's text.
    case notSaved(reason: String)
    /// There was not enough memory to compute the hash.
    case noMemory
}
