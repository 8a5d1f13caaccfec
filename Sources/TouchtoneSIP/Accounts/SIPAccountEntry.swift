// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import SIPMessages
import TouchtoneCore

/// An account with its line, its password and its registration.
@MainActor
final class SIPAccountEntry {
    let id: String
    let settings: SIPAccountSettings
    let line: SIPLine
    let password: KeyringPassword
    let relayPassword: KeyringPassword

    /// The account as it was last read from the settings; nil if it is disabled or has no valid address.
    var account: SIPAccount?
    /// The name of the TURN server in the keyring; empty if the account has none.
    private(set) var relay = ""
    /// The result of the engine's check of the TURN server since it got the account; nil before.
    var relayState: SIPRelayState?
    /// Whether the engine has the account.
    var isSet = false
    /// The registration, as the engine reported it last.
    var registration = SIPRegistration.registering
    /// The mailbox, as the registrar has said it since the engine got the account; nil if it has not.
    var mailbox: SIPMailbox?
    /// The extensions that the engine was told to watch since it got the account.
    var watched: [String] = []
    /// Whether the settings changed, and will be read soon.
    var isStale = false

    init(id: String, settings: Settings, line: SIPLine, keyring: any PasswordStore) {
        (self.id, self.line) = (id, line)
        self.settings = SIPAccountSettings(settings: settings)
        password = KeyringPassword(in: keyring)
        relayPassword = KeyringPassword(in: keyring)
    }

    /// Forgets what is known of another TURN server than that of the settings.
    func readRelay() {
        guard relay != settings.relay else { return }
        relay = settings.relay
        relayPassword.forget()
        relayState = nil
    }

    /// The SHA-256 fingerprint, in lower-case hex, of the server's certificate that was refused; empty if none was.
    var refusedCertificate: String {
        guard case .failed(.certificate(let fault)) = registration, isSet else { return "" }
        return SIPAccountSettings.fingerprint(fault.fingerprint) ?? ""
    }

    /// The voicemail: the number of the settings calls it, or else the address that the registrar has said.
    var voicemail: Voicemail {
        guard account != nil else { return .none }
        let count = mailbox.map { $0.newMessages.map { min(max($0, 0), SIPMailbox.maximumCount) } } ?? 0
        return Voicemail(
            newMessages: count, callee: settings.voicemail ?? mailbox.flatMap { Self.callee($0.address) })
    }

    /// The place to which calls are diverted; nil if they are not, or if that is the account itself.
    var diversion: Diversion? {
        guard account != nil, settings.diverts else { return nil }
        return settings.diversion.flatMap { line.isOwn($0.target) ? nil : $0 }
    }

    private static func callee(_ address: String) -> RemoteParty? {
        if let uri = try? SIPURI(address) { return RemoteParty(DialledNumber(), address: uri.text) }
        guard let number = TelURI(subscriber: address)?.number, number.isDialable else { return nil }
        return RemoteParty(number)
    }

    /// Whether the account is used, or will be if the keyring has its password.
    var needsEngine: Bool { account != nil && (password.isKnown || password.secret == .asked) }

    /// The state of an account that the engine supports.
    var state: TelephoneAccount.State {
        guard settings.isEnabled else { return .disabled }
        guard let uri = settings.uri else {
            let text = PlainText.line(settings.settings[text: "address"], maximum: 100)
            return .failed(
                localized("“{text}” is not a SIP address. Example: sip:grace@example.org", ["text": text]))
        }
        switch password.secret {
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
