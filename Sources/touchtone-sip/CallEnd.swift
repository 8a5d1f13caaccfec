// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import SIPMessages

extension SIPEnd {
    init(of call: Call) {
        let info = linphone_call_get_error_info(call.handle)
        var status = Int(linphone_error_info_get_protocol_code(info))
        let reason = linphone_error_info_get_reason(info)
        var text = Texts.safe(linphone_error_info_get_phrase(info))
        var cause = 0
        var isElsewhere = false
        let isRinging = call.isIncoming && !call.isAnswered
        // The Reason field (RFC 3326) is either the error itself, of a BYE or CANCEL, or below the response's.
        var source = info
        while let current = source {
            let name = Texts.safe(linphone_error_info_get_protocol(current)).uppercased()
            let code = Int(linphone_error_info_get_protocol_code(current))
            if name == "Q.850" { cause = code }
            // RFC 3326, section 3.1, or “non-selected user clearing”. The text is optional: Kamailio sends none.
            if isRinging, name == "SIP" && code == 200 || name == "Q.850" && code == 26 { isElsewhere = true }
            source = linphone_error_info_get_sub_error_info(current)
        }
        if cause != 0, Texts.safe(linphone_error_info_get_protocol(info)).uppercased() == "Q.850" {
            status = 0
        }
        if isElsewhere { status = 0 }
        // Codes below 300 are not of a final response that ended the call.
        if status < 300 { status = 0 }
        let isNetwork =
            reason == LinphoneReasonIOError || reason == LinphoneReasonNoResponse && !call.isAnswered
            || status == 408 && call.isAnswered || call.isUnacknowledged || call.hasNoWay
        if call.isEndedByPhone { (status, text) = (0, "") }
        if call.hasNoFormat { (status, text) = (488, "") }
        if call.isUnprotected || call.hasNoWay || call.relayFault != nil { (status, text) = (0, "") }
        let isRefused = call.isLedToSecureAddress && status == 416
        // Without a response, the text is liblinphone's own.
        if status == 0, cause == 0, !isElsewhere { text = "" }
        let side: Side =
            call.isEndedByPhone || call.hasNoFormat || call.isUnprotected || call.relayFault != nil
                || isRefused
            ? .phone : isNetwork ? .network : .farEnd
        // The far end may hang up before it reports that the other party has answered.
        let transfer = linphone_call_get_transfer_state(call.handle)
        let isUnderWay =
            ![LinphoneCallStateIdle, LinphoneCallStateOutgoingInit, LinphoneCallStateError].contains(transfer)
        self.init(
            side, status: status, cause: cause, text: text, isAnsweredElsewhere: isElsewhere,
            isTransferred: call.isTransferred || side == .farEnd && isUnderWay,
            isUnprotected: call.isUnprotected, relay: call.relayFault)
    }
}
