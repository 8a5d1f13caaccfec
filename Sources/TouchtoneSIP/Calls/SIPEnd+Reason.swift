// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import TouchtoneCore

extension SIPEnd {
    func reason(isIncoming: Bool, isAnswered: Bool) -> CallEndReason {
        if isAnsweredElsewhere { return .answeredElsewhere }
        if isTransferred { return .transferred }
        if isUnprotected { return .notEncrypted }
        if side == .phone, status == 0, cause == 0 { return .hungUp }
        // The phone itself ends an answered call only if it cannot be heard.
        if isAnswered, side != .phone { return side == .network ? .network : .farEnd }
        // A caller who gives up cancels the call.
        if isIncoming, side != .phone { return side == .network && status == 0 ? .network : .farEnd }
        if side == .phone, status == 416 { return .failed(Self.needsTLS) }
        // A gateway to the telephone network puts its reason into the cause, and any status around it.
        return Self.reason(cause: cause) ?? Self.reason(status: status) ?? other
    }

    /// Returns the reason that a cause gives (ITU-T Q.850); nil if it says nothing of its own.
    private static func reason(cause: Int) -> CallEndReason? {
        switch cause {
        case 1, 22, 28: .noSuchNumber
        case 17: .busy
        case 18, 19: .noAnswer
        case 20, 27: .notAvailable
        case 21: .declined
        case 2, 3, 6, 25, 34, 38, 41, 42, 44, 47: .network
        case 65, 79, 88: .noCommonFormat
        default: nil
        }
    }

    /// Returns the reason that a status gives (RFC 3261, section 21); nil if it says nothing of its own.
    private static func reason(status: Int) -> CallEndReason? {
        switch status {
        case 486, 600: .busy
        // 607 is “unwanted” (RFC 8197).
        case 603, 607: .declined
        case 404, 410, 416, 484, 485, 604: .noSuchNumber
        case 408, 487: .noAnswer
        case 480, 503: .notAvailable
        case 415, 488, 606: .noCommonFormat
        case 401, 407: .failed(localized("the server did not accept the password"))
        case 402: .failed(localized("the server requires a payment"))
        case 403: .failed(localized("the server does not allow this call"))
        case 420, 421, 494:
            .failed(localized("the other phone requires something that this one does not support"))
        case 423, 500..<600: .network
        default: nil
        }
    }

    private static var needsTLS: String {
        localized("a sips: address can be called only from an account with the transport TLS")
    }

    private var other: CallEndReason {
        guard status >= 300 else {
            return side == .network ? .network : side == .phone ? .hungUp : .farEnd
        }
        let text = PlainText.line(text, maximum: 100)
        let number = String(status)
        return .failed(
            text.isEmpty
                ? localized("the server’s answer was {status}", ["status": number])
                : localized("the server’s answer was {status} {text}", ["status": number, "text": text]))
    }
}
