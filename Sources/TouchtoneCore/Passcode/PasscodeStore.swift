// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the passcode's hash and the lock's state.
///
/// What is `async` takes its time elsewhere: the disk, the keyring and the hash never hold the caller's thread up.
@MainActor
public protocol PasscodeStore: AnyObject {
    /// What is kept. It reads two small files at most, at once: the first picture of the window depends on it.
    func load() -> PasscodeFinding

    /// Writes the lock's state; it is on the disk when the call returns. Calls take effect in their order.
    func save(_ record: LockRecord) async throws(PasscodeError)

    /// Compares a passcode with the hash that is kept. There is one computation of the hash to each verdict, and it takes
    /// as long whichever digit is another.
    func verify(_ passcode: Passcode, for mark: PasscodeMark) async -> PasscodeVerdict

    /// Keeps the hash of a passcode, and the mark of it with no failed attempt.
    ///
    /// - Parameter old: the mark of the passcode that it replaces; nil where none was set.
    func set(_ passcode: Passcode, replacing old: PasscodeMark?) async throws(PasscodeError) -> PasscodeMark

    /// Removes the hash and the lock's state.
    func remove(_ mark: PasscodeMark) async throws(PasscodeError)

    /// The files of the lock, as a person can be told of them: who deletes them begins anew, without a passcode.
    var files: [String] { get }
}

/// What a store has of a passcode.
public enum PasscodeFinding: Hashable, Sendable {
    /// None is set.
    case none
    /// One is set. The attempts are nil where what was written of them is missing or can't be read.
    case found(PasscodeMark, Attempts?)
    /// One is set, but can't be checked.
    case unusable(PasscodeFault)
}

/// Why a passcode that is set can't be checked: the phone stays locked.
public enum PasscodeFault: Hashable, Sendable {
    /// There is no hash.
    case missing
    /// The hash, or what is known of it, is none: cut short, empty, garbage.
    case damaged
    /// The hash is of another passcode.
    case another
    /// Others could have changed the file.
    case unsafe
    /// Reading it has failed, which says nothing of what is there.
    case unread
}

/// What came of comparing a passcode with the hash.
public enum PasscodeVerdict: Hashable, Sendable {
    /// It is the one.
    case right
    /// It is not.
    case wrong
    /// The one that is kept has another number of digits than its mark says.
    case length(Int)
    /// It can't be compared, now and later.
    case unusable(PasscodeFault)
    /// It can't be compared now.
    case unavailable(PasscodeError)
}

/// Why something could not be done with the passcode.
public enum PasscodeError: Error, Hashable, Sendable {
    /// The passcode that was asked for is another one.
    case wrong(attemptsLeft: Int)
    /// Too many attempts have failed: the phone is locked, and waits.
    case lockedOut
    /// No passcode is set.
    case notSet
    /// One is set already.
    case alreadySet
    /// Another attempt is being checked.
    case busy
    /// The passcode that is kept has so many digits.
    case otherLength(Int)
    /// The hash is missing or damaged.
    case unusable(PasscodeFault)
    /// The keyring that has the hash does not answer, or is not there: the reason in its own words.
    case noKeyring(reason: String)
    /// The keyring is there and was not opened, or would not do it: the reason in its own words.
    case keyringRefused(reason: String)
    /// The hash could not be read now: the reason in the system's words.
    case notRead(reason: String)
    /// The disk did not take it: the reason in the system's words.
    case notSaved(reason: String)
    /// The hash could not be computed, for want of memory.
    case noMemory
}
