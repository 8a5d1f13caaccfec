// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

extension SIPRelayState {
    /// The fault of a TURN server, in sentences for the user; nil if it has none.
    var text: String? {
        switch self {
        case .accepted: nil
        case .wrongPassword:
            localized("The TURN server did not accept the name or the password. Calls are made without it.")
        case .noAnswer: localized("The TURN server isn’t responding. Calls are made without it.")
        case .refused(let status):
            localized(
                "The TURN server refused the request ({status}). Calls are made without it.",
                ["status": String(status)])
        }
    }
}

extension SIPFailure {
    /// Returns what went wrong and what to do about it, in sentences for the user.
    func text(domain: String) -> String {
        switch self {
        case .wrongPassword:
            localized(
                "The server did not accept the password. Check the password and the authentication name.")
        case .noSuchUser: localized("The server doesn’t know this user. Check the address.")
        case .challengeNotSupported:
            localized(
                "The server asks for the password in a way that is not supported. Ask your provider for digest authentication with MD5 or SHA-256."
            )
        case .serverNotFound:
            localized(
                "No SIP server was found for {domain}. Check the address, or enter the registrar.",
                ["domain": domain])
        case .certificate(let fault): Self.text(of: fault)
        case .noAnswer:
            localized("The server isn’t responding. It may be down, or a firewall may block SIP.")
        case .connectionRefused:
            localized(
                "The server refused the connection. Check the registrar and the transport; a firewall may also block SIP."
            )
        case .noNetwork: localized("There is no network connection.")
        case .refused(let status, let text):
            Self.refusal(String(status), PlainText.line(text, maximum: 100))
        }
    }

    private static func refusal(_ status: String, _ text: String) -> String {
        text.isEmpty
            ? localized("The server refused the registration ({status}).", ["status": status])
            : localized(
                "The server refused the registration ({status}): “{text}”", ["status": status, "text": text])
    }

    private static func text(of fault: SIPCertificateFault) -> String {
        let reason = reason(of: fault.checks.first ?? .other)
        // 32 bytes in hexadecimal with colons.
        let fingerprint = PlainText.line(fault.fingerprint, maximum: 100)
        return fingerprint.isEmpty
            ? localized("The server’s certificate can’t be trusted: {reason}.", ["reason": reason])
            : localized(
                "The server’s certificate can’t be trusted: {reason}. Its SHA-256 fingerprint is {fingerprint}.",
                ["reason": reason, "fingerprint": fingerprint])
    }

    private static func reason(of check: SIPCertificateFault.Check) -> String {
        switch check {
        case .notTrusted: localized("its issuer is unknown")
        case .otherName: localized("it is for a different server")
        case .expired: localized("it has expired")
        case .notYetValid: localized("it is not valid yet")
        case .revoked: localized("it has been revoked")
        case .other: localized("it can’t be verified")
        }
    }
}
