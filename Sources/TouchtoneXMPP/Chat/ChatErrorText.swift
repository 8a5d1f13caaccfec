// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension StanzaError {
    /// Why a message or a wish came to nothing, in a sentence or two for the user.
    var reasonForUser: String {
        let sentence =
            switch condition {
            case "item-not-found": "There is no such account."
            case "service-unavailable": "There is no such account, or it takes no messages now."
            case "recipient-unavailable", "gone": "There is no such account any more."
            case "remote-server-not-found": "The server of this address can't be found."
            case "remote-server-timeout": "The server of this address doesn't answer."
            case "forbidden", "not-allowed", "not-authorized", "registration-required",
                "subscription-required":
                "This isn't allowed."
            case "not-acceptable": "This isn't accepted, or you have blocked this address."
            case "policy-violation": "The server's rules forbid this."
            case "resource-constraint", "internal-server-error": "The server can't do this right now."
            case "jid-malformed": "This is no address."
            case "feature-not-implemented": "The server can't do this."
            default: "This came to nothing (\(ServerText.shortened(condition)))."
            }
        return text.isEmpty ? sentence : "\(sentence) The answer says: “\(text)”"
    }
}

extension ChatServiceError {
    /// What the user is told where a question to the server came to nothing.
    init(_ error: RequestError) {
        switch error {
        case .disconnected: self = .offline
        case .timeout: self = .refused("The server doesn't answer.")
        case .implausible: self = .refused("The server's answer makes no sense.")
        case .refused(let error):
            let isMissing = ["feature-not-implemented", "service-unavailable"].contains(error.condition)
            self = isMissing ? .unsupported : .refused(error.reasonForUser)
        }
    }
}

extension AccountProblem {
    /// What there is to do about an error; nil where nothing is: it is tried again.
    init?(_ error: XMPPError) {
        guard error.needsUser else { return nil }
        switch error {
        case .certificate(let problem):
            self = .certificate(
                CertificateReport(
                    reason: problem.description, fingerprint: problem.fingerprint, subject: problem.subject,
                    issuer: problem.issuer, expiry: problem.expiry))
        case .signIn(.downgraded(_, let offer)):
            self = .weakerSignIn(
                WeakerSignIn(
                    reason: error.description, method: offer.rawValue, tellsPassword: offer == .plain))
        default: self = error.isOfPassword ? .password(error.description) : .other(error.description)
        }
    }
}
