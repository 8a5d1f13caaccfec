// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

extension ChatAccount {
    /// Whether the account is not online because of something that the user has to solve.
    var hasProblem: Bool {
        switch state {
        case .passwordWanted, .failed: true
        case .none, .disabled, .signedOut, .asking, .connecting, .online, .waiting: false
        }
    }
}

public struct AccountStrings: Hashable {
    let title: String
    /// The details in one or two sentences; empty if there are none.
    var detail = ""

    @MainActor
    init(_ account: ChatAccount) {
        switch account.state {
        case .none: title = localized("No Account")
        case .disabled: title = localizedIn("account", "Turned Off")
        case .signedOut: title = localized("Signed Out")
        case .asking:
            title = localized("Waiting for the Keyring…")
            detail = localized("Your desktop may ask you to unlock it. You can also type the password here.")
        case .passwordWanted(let reason):
            title = localized("Password Needed")
            detail = Self.text(reason)
        case .connecting: title = localized("Signing In…")
        case .online:
            title = localizedIn("account", "Online")
            detail = account.notKept.map(Self.notKept) ?? ""
        case .waiting(let reason):
            title = localized("Offline, Reconnecting…")
            detail = reason
        case .failed(let problem):
            title = localized("Not Signed In")
            detail = problem.text
            if case .password = problem {
                detail = localized("{problem} Change the password to try again.", ["problem": problem.text])
            }
        }
    }

    public static func text(_ reason: ChatAccount.PasswordReason) -> String {
        switch reason {
        case .noneKept: localized("The keyring has no password for this account.")
        case .noKeyring: noKeyring
        case .keyringRefused(let reason):
            localized("The password could not be read from the keyring: {reason}.", ["reason": reason])
        }
    }

    /// Returns why the password is not in the keyring.
    public static func notKept(_ reason: ChatAccount.PasswordReason) -> String {
        switch reason {
        case .noneKept: ""
        case .noKeyring: noKeyring
        case .keyringRefused(let reason):
            localized("The password could not be saved in the keyring: {reason}.", ["reason": reason])
        }
    }

    private static var noKeyring: String {
        localized(
            "No keyring is available to save the password, so Touchtone asks for it each time it starts.")
    }

    public static func text(_ error: ChatAccount.ValidationError) -> String {
        switch error {
        case .address: localized("This is not a Jabber address. Example: name@example.org")
        case .password: localized("Enter the password.")
        case .port: localized("Enter the server that this port belongs to.")
        }
    }

    /// Formats a fingerprint in lines of eight colon-separated hex pairs, for comparison by eye.
    static func fingerprint(_ hex: String) -> String {
        var lines: [String] = []
        var rest = Substring(hex.uppercased())
        while !rest.isEmpty {
            var pairs: [Substring] = []
            while !rest.isEmpty, pairs.count < 8 {
                pairs.append(rest.prefix(2))
                rest = rest.dropFirst(2)
            }
            lines.append(pairs.joined(separator: ":"))
        }
        return lines.joined(separator: "\n")
    }

    static func description(of offer: WeakerSignIn) -> String {
        offer.tellsPassword
            ? localized(
                "The server would get the password itself ({method}). Allow it only if the server’s owner confirms the change.",
                ["method": offer.method])
            : localized(
                "The password would be less protected ({method}). Allow it only if the server’s owner confirms the change.",
                ["method": offer.method])
    }

    /// Describes a certificate's subject, issuer and expiry date, in one phrase.
    static func description(of report: CertificateReport) -> String {
        var parts: [String] = []
        if !report.subject.isEmpty { parts.append(localized("issued to {name}", ["name": report.subject])) }
        if !report.issuer.isEmpty {
            parts.append(
                report.issuer == report.subject
                    ? localizedIn("certificate", "self-signed")
                    : localized("issued by {name}", ["name": report.issuer]))
        }
        if !report.expiry.isEmpty {
            parts.append(localizedIn("certificate", "valid until {date}", ["date": report.expiry]))
        }
        let list = localizedList(parts)
        return list.prefix(1).uppercased() + list.dropFirst()
    }
}
