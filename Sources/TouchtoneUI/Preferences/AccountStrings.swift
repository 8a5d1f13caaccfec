// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// How the account stands, in words.
struct AccountStrings: Hashable {
    /// In a few words.
    let title: String
    /// More of it, in a sentence or two; empty where there is no more to say.
    var detail = ""

    @MainActor
    init(_ account: ChatAccount) {
        switch account.state {
        case .none: title = "No Account"
        case .signedOut: title = "Signed Out"
        case .asking:
            title = "Waiting for the Keyring…"
            detail = "The desktop may ask you to open it. The password can be typed here, too."
        case .passwordWanted(let reason):
            title = "Password Needed"
            detail = Self.text(reason)
        case .connecting: title = "Signing In…"
        case .online:
            title = "Online"
            detail = account.notKept.map(Self.notKept) ?? ""
        case .waiting(let reason):
            title = "Offline, and Trying Again"
            detail = reason
        case .failed(let problem):
            title = "Not Signed In"
            detail = problem.text
            if case .password = problem { detail += " It is not tried again before you have changed it." }
        }
    }

    private static func text(_ reason: ChatAccount.PasswordReason) -> String {
        switch reason {
        case .noneKept: "The keyring has no password for this account."
        case .noKeyring:
            "This desktop has no keyring to keep the password in, so it is asked for at each start."
        case .keyringRefused(let reason): "The keyring did not give the password: \(reason)."
        }
    }

    private static func notKept(_ reason: ChatAccount.PasswordReason) -> String {
        switch reason {
        case .noneKept: ""
        case .noKeyring:
            "This desktop has no keyring to keep the password in: it is asked for at each start."
        case .keyringRefused(let reason): "The keyring did not keep the password: \(reason)."
        }
    }

    /// What is wrong with what was typed.
    static func text(_ mistake: ChatAccount.ValidationError) -> String {
        switch mistake {
        case .address: "This is no Jabber address. One looks like name@example.org."
        case .password: "The password is missing."
        case .port: "A port goes with a server: say which one."
        }
    }

    /// A fingerprint in pairs, eight to a line, as it is read out.
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

    /// The consequences of a weaker sign-in, in two sentences.
    static func description(of offer: WeakerSignIn) -> String {
        let consequence =
            offer.tellsPassword
            ? "The server would get the password itself (\(offer.method))."
            : "The password would be less protected (\(offer.method))."
        return consequence + " Allow it only if the server’s owner confirms the change."
    }

    /// Whom a certificate names, in a sentence.
    static func description(of report: CertificateReport) -> String {
        var parts: [String] = []
        if !report.subject.isEmpty { parts.append("It names \(report.subject)") }
        if !report.issuer.isEmpty {
            parts.append(
                report.issuer == report.subject ? "is signed by itself" : "is signed by \(report.issuer)")
        }
        if !report.expiry.isEmpty { parts.append("is good until \(report.expiry)") }
        return parts.isEmpty ? "" : parts.joined(separator: ", ") + "."
    }
}
