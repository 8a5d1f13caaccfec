// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension RegistrationError {
    /// Creates the reason for the user, with the server's own words.
    init(_ failure: ServerRegistration.Failure) {
        switch failure {
        case .connection(.certificate(let problem)):
            self.init(problem.description, certificate: CertificateReport(problem))
        case .connection(let error): self.init(error.description)
        case .invitation(let error):
            self.init(
                ServerText.quoted(
                    error.text, after: localized("The invitation isn’t valid any more. Ask for a new one.")))
        case .noForm(nil):
            self.init(
                localized("The server’s form can’t be shown. Make the account on its website instead."))
        case .noForm(let error?): self.init(Self.text(of: error))
        case .refused(let error): self.init(Self.text(of: error))
        }
    }

    private static func text(of error: StanzaError) -> String {
        let sentence =
            switch error.condition {
            case "conflict": localized("This name is taken. Choose another one.")
            case "not-acceptable", "bad-request":
                localized("The server doesn’t accept this. Change the name or the password, or fill in more.")
            case "not-allowed", "forbidden", "not-authorized", "service-unavailable",
                "feature-not-implemented", "item-not-found", "registration-required":
                localized(
                    "This server doesn’t make accounts for everybody. Choose another one, or ask for an invitation."
                )
            case _ where error.kind == .wait,
                "resource-constraint", "policy-violation", "internal-server-error":
                localized("The server makes no new accounts right now. Try again later.")
            default:
                localized("That didn’t work ({condition}).", ["condition": PlainText.line(error.condition)])
            }
        return ServerText.quoted(error.text, after: sentence)
    }
}
