// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

extension SIPFailure {
    /// Returns what went wrong and what to do about it, in sentences for the user.
    ///
    /// - Parameter domain: The domain of the account.
    func text(domain: String) -> String {
        switch self {
        case .wrongPassword:
            localized(
                "The server did not accept the password. Check the password and the authentication name.")
        case .noSuchUser: localized("The server doesn’t know this user. Check the address.")
        case .serverNotFound:
            localized(
                "No SIP server was found for {domain}. Check the address, or enter the registrar.",
                ["domain": domain])
        case .certificate:
            localized(
                "The certificate of the server failed verification, so the password was not sent. Ask the server’s administrator."
            )
        case .noAnswer:
            localized("The server isn’t responding. It may be down, or a firewall may block SIP.")
        case .connectionRefused:
            localized(
                "The server refused the connection. Check the registrar and the transport; a firewall may also block SIP."
            )
        case .noNetwork: localized("There is no network connection.")
        case .refused(let status, let text):
            Self.refusal(String(status), SIPText.line(text))
        }
    }

    private static func refusal(_ status: String, _ text: String) -> String {
        text.isEmpty
            ? localized("The server refused the registration ({status}).", ["status": status])
            : localized(
                "The server refused the registration ({status}): “{text}”", ["status": status, "text": text])
    }
}
