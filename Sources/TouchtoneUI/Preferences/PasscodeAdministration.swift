// SPDX-License-Identifier: GPL-3.0-or-later

/// Sets, changes and removes the passcode, for Preferences.
///
/// What takes a while (the hash, the keyring, the disk) happens elsewhere; the answer is nil when it is done, and
/// otherwise what is the matter, in a sentence or two for people.
@MainActor
protocol PasscodeAdministration: AnyObject {
    /// Whether a passcode is set.
    var isSet: Bool { get }

    /// Where it is kept, in a sentence; empty where none is set.
    var place: String { get }

    /// Calls `body` now and after each change, as long as `owner` is there.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void)

    /// Sets the first passcode: 4 to 8 digits of ASCII.
    func setPasscode(_ new: String) async -> String?

    /// Sets another passcode, if `old` is right.
    func changePasscode(from old: String, to new: String) async -> String?

    /// Removes the passcode, if it is right.
    func removePasscode(_ old: String) async -> String?
}
