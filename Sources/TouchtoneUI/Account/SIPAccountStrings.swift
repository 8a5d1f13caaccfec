// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

public enum SIPAccountStrings {
    /// Returns the state of an account, with what to do about a problem.
    static func state(of account: TelephoneAccount) -> String {
        switch account.state {
        case .disabled: localizedIn("account", "Turned off")
        case .asking: localized("Waiting for the keyring…")
        case .passwordWanted(let reason): AccountStrings.text(reason)
        case .connecting: localizedIn("account", "Registering…")
        case .registered:
            account.notRead.map(AccountStrings.text) ?? account.notKept.map(AccountStrings.notKept)
                ?? (account.relayFailure.isEmpty ? registered(account) : account.relayFailure)
        case .failed(let reason): reason
        }
    }

    private static func registered(_ account: TelephoneAccount) -> String {
        switch account.newMessages {
        case 0: localizedIn("account", "Registered")
        case nil: localizedIn("account", "Registered, new voicemail messages")
        case let count?:
            localizedPlural(
                "Registered, {count} new voicemail message", "Registered, {count} new voicemail messages",
                count)
        }
    }

    /// Returns what is wrong with the password of the TURN server.
    static func relay(_ problem: ChatAccount.PasswordReason) -> String {
        problem == .noneKept
            ? localized("The keyring has no password for this server.") : AccountStrings.text(problem)
    }

    /// Returns an address as people write it, without its scheme.
    static func name(ofAddress address: String) -> String {
        (try? SIPURI(address))?.shown ?? PlainText.line(address, maximum: 100)
    }

    public static func text(_ error: TelephoneAccountError) -> String {
        switch error {
        case .notAnAddress: localized("This is not a SIP address. Example: name@example.org")
        case .exists: localized("There is already an account with this address.")
        case .noPassword: localized("Enter the password.")
        case .tooMany: localized("No more accounts can be added. Remove one first.")
        }
    }
}
