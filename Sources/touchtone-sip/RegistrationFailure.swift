// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

enum RegistrationFailure {
    static func reason(of error: RegistrationError, at server: String) -> SIPFailure {
        if let fault = CertificateChecks.takeFault(of: server),
            error.reason == LinphoneReasonIOError || error.status == 503
        {
            return .certificate(fault)
        }
        switch error.status {
        case 401, 403, 407: return .wrongPassword
        case 404, 410, 604: return .noSuchUser
        case 408, 0: return .noAnswer
        // Also what the guard makes of challenges that are not supported.
        case 494: return .challengeNotSupported
        case 503 where error.text == "io error": return .noAnswer
        default: return .refused(status: error.status, text: error.text)
        }
    }
}

extension SIPFailure {
    /// Whether another attempt cannot succeed before the user changes the account.
    var isPermanent: Bool {
        switch self {
        case .wrongPassword, .noSuchUser, .challengeNotSupported: true
        case .refused(let status, _):
            (400..<500).contains(status) && status != 408 && status != 480 && status != 491
        default: false
        }
    }
}
