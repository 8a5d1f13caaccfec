// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension XMPPError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noService(let domain): localized("{domain} has no Jabber server.", ["domain": domain])
        case .unreachable(let host, let reason):
            localized("The server {host} can’t be reached: {reason}.", ["host": host, "reason": reason])
        case .silent(.connecting): localized("The server isn’t responding.")
        case .silent(.signingIn): localized("Signing in took too long.")
        case .silent(.online): localized("The server has stopped responding.")
        case .noSecrecy(let host, let reason):
            localized("Can’t connect securely to {host}: {reason}.", ["host": host, "reason": reason])
        case .certificate(let problem): problem.description
        case .notXMPP(let reason):
            localized("This is not a Jabber server, or it is faulty ({reason}).", ["reason": reason])
        case .tooLarge(let what):
            localized("The server sent too much data ({item}), so the connection was closed.", ["item": what])
        case .signIn(let error): error.description
        case .noResource(let condition):
            localized("The server didn’t accept this device ({condition}).", ["condition": condition])
        case .ended(let condition, let text): Self.ended(condition, text)
        case .interrupted:
            localized(
                "The connection ended before it was secure. Something in this network may be blocking it. Touchtone will try again."
            )
        case .replaced: localized("The account was signed in elsewhere under this device’s name.")
        case .lost(let reason): localized("The connection was lost: {reason}.", ["reason": reason])
        }
    }

    private static func ended(_ condition: String, _ text: String) -> String {
        let sentence =
            switch condition {
            case "host-unknown", "host-gone": localized("The server doesn’t host this account’s domain.")
            case "system-shutdown": localized("The server is being shut down.")
            case "connection-timeout": localized("The server closed the connection after a timeout.")
            case "resource-constraint", "policy-violation": localized("The server refused the connection.")
            case "not-authorized": localized("The server doesn’t accept this account.")
            default: localized("The server ended the connection ({condition}).", ["condition": condition])
            }
        return ServerText.quoted(text, after: sentence)
    }
}

extension SASLError: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused(let condition, let text): Self.refused(condition, text)
        case .noMechanism(let offered):
            offered.isEmpty
                ? localized("The server offers no way to sign in.")
                : localized(
                    "The server offers no secure way to sign in ({methods}).",
                    ["methods": localizedList(offered)])
        case .downgraded:
            localized(
                "The server now offers only weaker ways to sign in than before. Someone may be intercepting the connection. Your password was not sent."
            )
        case .alteredOffer:
            localized(
                "The list of ways to sign in was changed on its way from the server. Someone may be intercepting the connection. Your password was not sent."
            )
        case .bindingRefused(_, let text):
            ServerText.quoted(
                text,
                after: localized(
                    "The server sees a different connection than this one. Someone may be intercepting it, or the server is set up wrongly. Your password was not sent."
                ))
        case .unusablePassword: localized("The password contains characters that aren’t allowed.")
        case .implausible(let what):
            localized(
                "The server sent an invalid sign-in response ({reason}). Your password was not sent.",
                ["reason": what])
        case .notProven:
            localized("The server didn’t prove that it knows the password. It may be an impostor.")
        case .unavailable(let reason):
            localized("Sign-in isn’t possible on this computer: {reason}.", ["reason": reason])
        }
    }

    private static func refused(_ condition: String, _ text: String) -> String {
        let sentence =
            switch condition {
            case "not-authorized": localized("Wrong password, or the account doesn’t exist.")
            case "account-disabled": localized("The account is disabled.")
            case "credentials-expired": localized("The password has expired.")
            case "temporary-auth-failure": localized("The server can’t check the password right now.")
            case "mechanism-too-weak", "encryption-required":
                localized("The server requires a more secure way to sign in.")
            default: localized("The server refused the sign-in ({condition}).", ["condition": condition])
            }
        return ServerText.quoted(text, after: sentence)
    }
}

extension CertificateProblem: CustomStringConvertible {
    var description: String {
        let reasons = flaws.map { flaw in
            switch flaw {
            case .unknownIssuer: localized("its issuer is unknown")
            case .otherName: localized("it is for a different server")
            case .notYetValid: localized("it is not valid yet")
            case .expired:
                expiry.isEmpty
                    ? localized("it has expired") : localized("it expired on {date}", ["date": expiry])
            case .revoked: localized("it was revoked")
            case .insecure: localized("its signature is not secure")
            case .other: localized("it can’t be verified")
            }
        }
        return localized(
            "The server’s certificate can’t be trusted: {reasons}.",
            ["reasons": reasons.joined(separator: localizedIn("between reasons", ", and "))])
    }
}
