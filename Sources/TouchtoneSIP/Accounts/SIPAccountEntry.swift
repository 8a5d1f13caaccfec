// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
import TouchtoneCore

/// An account with its line, its password and its registration.
@MainActor
final class SIPAccountEntry {
    /// The password, as far as it is known.
    enum Secret: Hashable {
        case unknown
        /// The keyring was asked, and has not answered.
        case asked
        case missing(ChatAccount.PasswordReason)
        case known(String)
    }

    /// The password of a TURN server.
    struct Relay {
        /// The server's name in the keyring; empty if the account has none.
        var name = ""
        var secret = Secret.unknown
        /// The reason why the password is not in the keyring; nil if it is, or if that is not known yet.
        var notKept: ChatAccount.PasswordReason?
        /// The number of the last question to the keyring; the answers to earlier ones are ignored.
        var question = 0
        /// The result of the engine's check since it got the account; nil if there is none yet.
        var state: SIPRelayState?

        /// The reason why the password is missing or is not saved; nil if neither.
        var problem: ChatAccount.PasswordReason? {
            if case .missing(let reason) = secret { reason } else { notKept }
        }
    }

    let id: String
    let settings: SIPAccountSettings
    let line: SIPLine

    /// The account as it was last read from the settings; nil if it is disabled or has no valid address.
    var account: SIPAccount?
    var secret = Secret.unknown
    /// The reason why the password is not in the keyring; nil if it is, or if that is not known yet.
    var notKept: ChatAccount.PasswordReason?
    /// The reason why the keyring did not return a password that is known; nil if it did, or was not asked again.
    var notRead: ChatAccount.PasswordReason?
    var relay = Relay()
    /// Whether the engine has the account.
    var isSet = false
    /// The registration, as the engine reported it last.
    var registration = SIPRegistration.registering
    /// The number of the last question to the keyring; the answers to earlier ones are ignored.
    var question = 0
    /// Whether the settings changed, and will be read soon.
    var isStale = false

    init(id: String, settings: Settings, line: SIPLine) {
        self.id = id
        self.settings = SIPAccountSettings(settings: settings)
        self.line = line
    }

    var password: String? {
        if case .known(let password) = secret { password } else { nil }
    }

    /// A known password stays if the keyring does not return one: it may only be locked, and the account may be in use.
    func take(_ answer: Secret) {
        if case .missing(let reason) = answer, password != nil {
            notRead = reason
        } else {
            (secret, notRead) = (answer, nil)
        }
    }

    /// The SHA-256 fingerprint, in lower-case hex, of the server's certificate that was refused; empty if none was.
    var refusedCertificate: String {
        guard case .failed(.certificate(let fault)) = registration, isSet else { return "" }
        return SIPAccountSettings.fingerprint(fault.fingerprint) ?? ""
    }

    /// Whether the account is used, or will be if the keyring has its password.
    var needsEngine: Bool { account != nil && (password != nil || secret == .asked) }

    /// The state of an account that the engine supports.
    var state: TelephoneAccount.State {
        guard settings.isEnabled else { return .disabled }
        guard let uri = settings.uri else {
            let text = PlainText.line(settings.settings[text: "address"], maximum: 100)
            return .failed(
                localized("“{text}” is not a SIP address. Example: sip:grace@example.org", ["text": text]))
        }
        switch secret {
        case .unknown, .asked: return .asking
        case .missing(let reason): return .passwordWanted(reason)
        case .known: break
        }
        switch registration {
        case .registering: return .connecting
        case .registered: return .registered
        case .failed(let failure): return .failed(failure.text(domain: uri.host))
        }
    }
}

extension TelephoneAccount.State {
    var lineState: LineState {
        switch self {
        case .registered: .available
        case .asking, .connecting: .connecting
        case .failed(let reason): .unavailable(reason: reason)
        case .disabled: .unavailable(reason: localized("The account is turned off."))
        case .passwordWanted(.noneKept):
            .unavailable(
                reason: localized("The keyring has no password for this account. Enter it in Preferences."))
        case .passwordWanted(.noKeyring):
            .unavailable(
                reason: localized("No keyring is available. Enter the account’s password in Preferences."))
        case .passwordWanted(.keyringRefused(let reason)):
            .unavailable(
                reason: localized(
                    "The password could not be read from the keyring: {reason}.", ["reason": reason]))
        }
    }
}
