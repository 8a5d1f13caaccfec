// SPDX-License-Identifier: GPL-3.0-or-later

/// The storage of the account’s details, except the password.
@MainActor
public protocol AccountStore: AnyObject {
    var details: AccountDetails { get set }
    /// The SHA-256 fingerprint, in hex, of the one certificate that the user trusts; empty for none.
    var trustedCertificate: String { get set }
    /// Whether the account has settings of its own, which hold its label and whether it is used.
    var isListed: Bool { get }
    /// Whether the account is signed in; true if that cannot be stored.
    var isEnabled: Bool { get set }
    /// The name that the user gave the account; empty if there is none, or it cannot be stored.
    var label: String { get set }
    /// Returns the SASL name of the mechanism by which an account last signed in; empty if none is stored.
    func signInMethod(of address: String) -> String
    /// Stores the mechanism by which an account signed in, in place of any other; an empty name removes it.
    func keepSignInMethod(_ method: String, of address: String)
    /// The handler of every change, from any source; set once.
    var onChange: (@MainActor () -> Void)? { get set }
}

/// The storage of passwords; a call may take as long as the user takes to unlock the keyring.
@MainActor
public protocol PasswordStore: AnyObject {
    /// Returns the password of an account; nil if none is stored.
    func password(of account: String) async throws(PasswordStoreError) -> String?
    func keep(_ password: String, of account: String) async throws(PasswordStoreError)
    func forget(_ account: String) async throws(PasswordStoreError)
    /// Calls `body`, for as long as `owner` exists, when passwords that could not be read may be there: the keyring has started,
    /// or was unlocked.
    func observeReturn(by owner: AnyObject, _ body: @escaping @MainActor () -> Void)
}

public enum PasswordStoreError: Error, Hashable, Sendable {
    case absent
    /// The keyring refused or did not respond; with its reason.
    case refused(String)
}

@MainActor
public protocol AccountConnection: AnyObject {
    /// The handler of every change of `state`; set once.
    var onChange: (@MainActor () -> Void)? { get set }
    var state: AccountState { get }
    /// Returns the normalized bare address that a text stands for; nil if the text is not an address.
    func address(_ text: String) -> String?
    /// Ends the current connection, and keeps the given account online from now on.
    ///
    /// - Parameters:
    ///   - trusting: The SHA-256 fingerprint, in hex, of a certificate to trust unverified; empty for none.
    ///   - atLeast: The SASL name of the weakest permitted mechanism; empty for any.
    func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String)
    /// The SASL name of the mechanism of the last sign-in; empty if there was none.
    var signInMethod: String { get }
    func disconnect()
    /// Removes what this device signs in with instead of the password; the server issues it again.
    func forgetToken(of address: String)
    /// Removes the keys by which messages to an account are encrypted for this device, here and, if the account is online, on
    /// its server.
    func forgetKeys(of address: String)
    /// Gives the account another password on its server.
    func changePassword(to password: String) async throws(ChatServiceError)
    /// Removes the account from its server, for ever.
    func removeFromServer() async throws(ChatServiceError)
    /// Whether the user is looking at the program: if not, the server may hold back what can wait.
    var isActive: Bool { get set }
    /// Whether nothing is in progress any more after `disconnect()`.
    var isSettled: Bool { get }
    /// Checks at once whether the server still responds, after the machine has slept.
    func wakeUp()
    /// Ends the connection, and switches to the conversations of a different account; an empty address is no account.
    ///
    /// The messages of the previous account stay in the store until that account is used again.
    func use(_ address: String)
}
