// SPDX-License-Identifier: GPL-3.0-or-later

extension XMPPError: CustomStringConvertible {
    /// What happened, in a sentence or two for the user.
    public var description: String {
        switch self {
        case .noService(let domain): "\(domain) has no Jabber server."
        case .unreachable(let host, let reason): "The server \(host) can't be reached: \(reason)."
        case .silent(.connecting): "The server doesn't answer."
        case .silent(.signingIn): "The server didn't finish the sign-in in time."
        case .silent(.online): "The server has stopped answering."
        case .noSecrecy(let host, let reason):
            "The server \(host) has no secure connection, or something in this network is in the way: \(reason)."
        case .certificate(let problem): problem.description
        case .notXMPP(let reason): "What answers is not a Jabber server, or a broken one (\(reason))."
        case .tooLarge(let what): "The server sends more than it should (\(what)); the connection was closed."
        case .signIn(let error): error.description
        case .noResource(let condition): "The server didn't let this device in (\(condition))."
        case .ended(let condition, let text): Self.ended(condition, text)
        case .interrupted:
            "The connection was ended before it was secure. Something in this network may be in the way; "
                + "another attempt follows."
        case .replaced: "The account was signed in elsewhere under this device's name."
        case .lost(let reason): "The connection was lost: \(reason)."
        }
    }

    private static func ended(_ condition: String, _ text: String) -> String {
        let sentence =
            switch condition {
            case "host-unknown", "host-gone": "The server doesn't serve this account's domain."
            case "system-shutdown": "The server is being shut down."
            case "connection-timeout": "The server gave the connection up."
            case "resource-constraint", "policy-violation": "The server refuses the connection."
            case "not-authorized": "The server doesn't let this account in."
            default: "The server ended the connection (\(condition))."
            }
        return text.isEmpty ? sentence : "\(sentence) It says: “\(text)”"
    }
}

extension SASLError: CustomStringConvertible {
    /// What happened, in a sentence or two for the user.
    public var description: String {
        switch self {
        case .refused(let condition, let text): Self.refused(condition, text)
        case .noMechanism(let offered):
            offered.isEmpty
                ? "The server offers no way to sign in."
                : "The server offers no way to sign in that is safe here (\(offered.joined(separator: ", ")))."
        case .downgraded(let before, let now):
            "The server offers only weaker ways to sign in than before (\(now.rawValue) in place of "
                + "\(before.rawValue)). Someone may be in between; the password was not sent."
        case .unusablePassword: "The password holds characters that no password can have."
        case .implausible(let what):
            "The server's sign-in makes no sense (\(what)); the password was not sent."
        case .notProven: "The server didn't prove that it knows the password. It may be an impostor."
        case .unavailable(let reason): "This computer can't do the sign-in: \(reason)."
        }
    }

    private static func refused(_ condition: String, _ text: String) -> String {
        let sentence =
            switch condition {
            case "not-authorized": "The password is wrong, or there is no such account."
            case "account-disabled": "The account is disabled."
            case "credentials-expired": "The password has expired."
            case "temporary-auth-failure": "The server can't check the password right now."
            case "mechanism-too-weak", "encryption-required": "The server wants a safer way to sign in."
            default: "The server refuses the sign-in (\(condition))."
            }
        return text.isEmpty ? sentence : "\(sentence) It says: “\(text)”"
    }
}

extension CertificateProblem: CustomStringConvertible {
    /// What is wrong, in a sentence or two for the user.
    public var description: String {
        let reasons = flaws.map { flaw in
            switch flaw {
            case .unknownIssuer: "its issuer is unknown"
            case .otherName: "it is for another name"
            case .notYetValid: "its time has not come"
            case .expired: expiry.isEmpty ? "it has expired" : "it expired on \(expiry)"
            case .revoked: "it was revoked"
            case .insecure: "it is signed in an unsafe way"
            case .other: "it can't be checked"
            }
        }
        return "The server's certificate can't be trusted: \(reasons.joined(separator: ", and "))."
    }
}
