// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The texts on accounts that an address offers.
enum AccountSetupStrings {
    /// Returns what would be saved of an account, without its password.
    static func details(of account: ProposedAccount) -> String {
        var parts: [String]
        switch account {
        case .sip(let setup): parts = details(of: setup)
        case .jabber(let setup):
            parts = [localized("Jabber account")]
            if !setup.details.host.isEmpty {
                let port = setup.details.port == 0 ? "" : ":\(setup.details.port)"
                parts.append(localized("server {name}", ["name": setup.details.host + port]))
            }
        }
        parts.append(
            account.hasPassword ? localized("with its password") : localized("asks you for its password"))
        return localizedList(parts)
    }

    private static func details(of setup: TelephoneSetup) -> [String] {
        var parts = [localized("SIP account")]
        if !setup.server.isEmpty {
            parts.append(localized("server {name}", ["name": CallAddress.shown(setup.server)]))
        }
        if !setup.user.isEmpty { parts.append(localized("user {name}", ["name": setup.user])) }
        if ["tcp", "udp"].contains(setup.transport) {
            parts.append(localized("connection not encrypted"))
        }
        switch setup.encryption {
        case "off": parts.append(localized("calls not encrypted"))
        case "required": parts.append(localized("encrypted calls only"))
        default: break
        }
        if !setup.voicemail.isEmpty {
            parts.append(localized("voicemail {number}", ["number": setup.voicemail]))
        }
        return parts
    }

    static func text(_ error: AccountSetupError) -> String {
        switch error {
        case .notASetup: localized("There are no accounts for Touchtone at this address. Check the address.")
        case .otherVersion: localized("The accounts at this address are for another version of Touchtone.")
        case .noAccounts, .tooManyAccounts:
            localized("The address offers no accounts, or too many. Ask who gave it to you.")
        case .unusable(let number):
            localized(
                "Account {number} at this address can’t be used. Ask who gave it to you.",
                ["number": localizedNumber(number)])
        case .transfer(let error): text(error)
        }
    }

    private static func text(_ error: FileTransferError) -> String {
        switch error {
        case .invalidAddress: localized("This is not a web address that begins with https://.")
        case .privateAddress, .unsafeRedirect:
            localized("The address leads on to a place that is not allowed. Nothing was read from there.")
        case .untrustedCertificate:
            localized("The certificate of this server is not trusted. Nothing was read from there.")
        case .refused(let status):
            localized(
                "The server refused (error {status}). The address may have been used or may be too old.",
                ["status": String(status)])
        case .tooLarge, .invalidResponse, .damaged, .metadataNotRemoved, .unreadable, .unwritable, .declined,
            .offerEnded:
            text(.notASetup)
        case .unreachable, .incomplete, .cancelled:
            localized("The server can’t be reached. Check the address and your connection.")
        }
    }
}
