// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of an account.
///
/// A connection has the states `signedOut`, `connecting`, `online`, `waiting` and `failed`; `ChatAccount` adds the others.
public enum AccountState: Hashable, Sendable {
    /// There is no account.
    case none
    /// The account is signed out.
    case signedOut
    /// The password is requested from the keyring, which the user may have to unlock.
    case asking
    /// The user must type the password, for the given reason.
    case passwordWanted(ChatAccount.PasswordReason)
    /// The account is connecting.
    case connecting
    /// The account is online.
    case online
    /// The account will reconnect automatically; with the reason for the interruption, for the user.
    case waiting(String)
    /// The account will not reconnect until the user has dealt with the problem.
    case failed(AccountProblem)
}
