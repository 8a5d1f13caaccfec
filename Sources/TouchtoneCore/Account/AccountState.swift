// SPDX-License-Identifier: GPL-3.0-or-later

/// A connection has the states `signedOut`, `connecting`, `online`, `waiting` and `failed`; `ChatAccount` adds the others.
public enum AccountState: Hashable, Sendable {
    case none
    /// The account is switched off until the user switches it on again.
    case disabled
    case signedOut
    /// The password is requested from the keyring, which the user may have to unlock.
    case asking
    case passwordWanted(ChatAccount.PasswordReason)
    case connecting
    case online
    /// The account will reconnect automatically; with the reason for the interruption, for the user.
    case waiting(String)
    /// The account will not reconnect until the user has dealt with the problem.
    case failed(AccountProblem)
}
