// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension StanzaError {
    /// The reason why a message or request failed, in a sentence or two for the user.
    var reasonForUser: String {
        let sentence =
            switch condition {
            case "item-not-found": localized("There is no such account.")
            case "service-unavailable": localized("The account doesn’t exist, or isn’t accepting messages.")
            case "recipient-unavailable", "gone": localized("The account no longer exists.")
            case "remote-server-not-found": localized("This address’s server can’t be found.")
            case "remote-server-timeout": localized("This address’s server isn’t responding.")
            case "forbidden", "not-allowed", "not-authorized", "registration-required",
                "subscription-required":
                localized("This isn’t allowed.")
            case "not-acceptable":
                localized("The recipient doesn’t accept this, or you have blocked the address.")
            case "policy-violation": localized("The server’s rules forbid this.")
            case "resource-constraint", "internal-server-error":
                localized("The server can’t do this right now.")
            case "jid-malformed": localized("This is not a valid address.")
            case "feature-not-implemented": localized("The server can’t do this.")
            default:
                localized("That didn’t work ({condition}).", ["condition": PlainText.line(condition)])
            }
        return quoted(after: sentence)
    }

    /// Whether a room answers so to a message for somebody who is not in it (XEP-0045 section 7.5).
    var isOfAbsence: Bool {
        ["item-not-found", "recipient-unavailable", "service-unavailable", "gone"].contains(condition)
    }

    /// The reason why an upload was refused (XEP-0363 section 5), in a sentence or two for the user.
    var reasonForUpload: String {
        switch condition {
        case "not-acceptable":
            quoted(after: localized("The server doesn’t accept this file. It may be too large."))
        case "resource-constraint":
            quoted(after: localized("The server has no room for this file now. Try again later."))
        case "not-allowed", "forbidden", "not-authorized":
            quoted(after: localized("You aren’t allowed to upload files to this server."))
        default: reasonForUser
        }
    }

    private func quoted(after sentence: String) -> String {
        text.isEmpty
            ? sentence
            : localized("{sentence} The reply was: “{text}”", ["sentence": sentence, "text": text])
    }
}

extension ChatServiceError {
    init(_ error: RequestError) {
        switch error {
        case .disconnected: self = .offline
        case .timeout: self = .refused(localized("The server isn’t responding."))
        case .implausible: self = .refused(localized("The server sent an invalid reply."))
        case .refused(let error):
            let isMissing = ["feature-not-implemented", "service-unavailable"].contains(error.condition)
            self = isMissing ? .unsupported : .refused(error.reasonForUser)
        }
    }
}

extension CertificateReport {
    init(_ problem: CertificateProblem) {
        self.init(
            reason: problem.description, fingerprint: problem.fingerprint, subject: problem.subject,
            issuer: problem.issuer, expiry: problem.expiry)
    }
}

extension AccountProblem {
    /// Creates the problem that the user has to solve; nil if the connection is tried again automatically.
    init?(_ error: XMPPError) {
        guard error.needsUser else { return nil }
        switch error {
        case .certificate(let problem):
            self = .certificate(CertificateReport(problem))
        case .signIn(.downgraded(_, let offer)), .signIn(.bindingRefused(let offer?, _)):
            self = .weakerSignIn(
                WeakerSignIn(
                    reason: error.description, method: offer.rawValue, tellsPassword: offer == .plain))
        default: self = error.isOfPassword ? .password(error.description) : .other(error.description)
        }
    }
}
