// SPDX-License-Identifier: GPL-3.0-or-later

/// Where the account's details are kept, all but the password.
@MainActor
public protocol AccountStore: AnyObject {
    /// The details, as they are now.
    var details: AccountDetails { get set }
    /// SHA-256 in hex of the one certificate that the user trusts; empty is none.
    var trustedCertificate: String { get set }
    /// The SASL name of the mechanism by which an account was last signed in; empty where none is kept.
    func signInMethod(of address: String) -> String
    /// Keeps the mechanism of an account in place of any other; empty forgets it.
    func keepSignInMethod(_ method: String, of address: String)
    /// Called after each change, whoever makes it; set once.
    var onChange: (@MainActor () -> Void)? { get set }
}

/// Where passwords are kept.
///
/// An answer may take as long as a person takes to open a keyring.
@MainActor
public protocol PasswordStore: AnyObject {
    /// The password of an account; nil where none is kept.
    func password(of account: String) async throws(PasswordStoreError) -> String?
    /// Keeps a password in place of the one before.
    func keep(_ password: String, of account: String) async throws(PasswordStoreError)
    /// Keeps it no more; one that is not there is gone.
    func forget(_ account: String) async throws(PasswordStoreError)
}

/// Why a password was not kept, found or forgotten.
public enum PasswordStoreError: Error, Hashable, Sendable {
    /// There is no keyring.
    case absent
    /// There is one, and it said no, or nothing: its reason.
    case refused(String)
}

/// The way to the account's server.
@MainActor
public protocol AccountConnection: AnyObject {
    /// Called after each change of `state`; set once.
    var onChange: (@MainActor () -> Void)? { get set }
    /// Its state; the same that it tells `Chat`.
    var state: ChatServiceState { get }
    /// The bare address that a text means, in its one comparable form; nil for what is none.
    func address(_ text: String) -> String?
    /// Ends what there is, and keeps that account online from now on.
    ///
    /// - Parameters:
    ///   - trusting: SHA-256 in hex of the one certificate to trust though it fails the check; empty is none.
    ///   - atLeast: the SASL name of the weakest mechanism that may be used; empty is any.
    func connect(
        _ details: AccountDetails, password: String, trusting certificate: String, atLeast method: String)
    /// The SASL name of the mechanism by which it was last signed in; empty where it was not.
    var signInMethod: String { get }
    /// Ends it.
    func disconnect()
    /// Whether somebody is looking: where not, the server may hold back what can wait.
    var isActive: Bool { get set }
    /// Whether nothing is under way any more after `disconnect`.
    var isSettled: Bool { get }
    /// Looks at once whether the server is still there: the machine has slept.
    func wakeUp()
    /// Ends it, and has the conversations be another account's from now on; an empty address is none's.
    ///
    /// The messages of the account before stay in the store until that account is used again.
    func use(_ address: String)
}
