// SPDX-License-Identifier: GPL-3.0-or-later

/// Sets, changes and removes the passcode, for Preferences.
///
/// Hashing and access to the keyring and the disk run off the main thread. Each method returns nil on success, or a
/// text of one or two sentences that describes the error to the user.
@MainActor
protocol PasscodeAdministration: AnyObject {
    var isSet: Bool { get }

    /// A sentence that says where the passcode is stored; empty if none is set.
    var place: String { get }

    /// Calls `body` immediately and after each change, for the lifetime of `owner`.
    func observe(by owner: AnyObject, _ body: @escaping @MainActor () -> Void)

    func setPasscode(_ new: String) async -> String?

    func changePasscode(from old: String, to new: String) async -> String?

    /// Removes the passcode if `old` is the current one.
    func removePasscode(_ old: String) async -> String?
}
