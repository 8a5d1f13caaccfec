// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

/// Real-time text of a call (RFC 4103) on its way.
struct CallText {
    /// Whether the phone has asked for text, and the far end was not asked yet.
    var isWanted = false
    /// Whether the far end was asked, and has not answered yet.
    var isAsked = false
    /// Whether the phone knows that text runs.
    var runs = false
    /// The number of requests in a row that met a request of the far end.
    var glareCount = 0
    /// The time before which the far end is not asked again.
    var nextTime = Instant.now
    private var unsent: [UInt32] = []
    /// Whether the last character that came was a carriage return, which a line feed may follow.
    private var hasReturned = false
    /// The greatest mean number of characters in a second, over 10 seconds: that of RFC 4103, section 6, or less if the far end
    /// takes less.
    ///
    /// mediastreamer loses characters beyond 1,024 bytes in 300 milliseconds.
    private(set) var rate = usualRate
    /// The characters that may be sent now, in thousandths.
    private var allowance = 2_000 * usualRate
    private var counted = Instant.now

    private static let maximumUnsent = 10_000
    private static let usualRate = 30

    /// Adds text to be sent; without what is not sent as text, and what is too much.
    mutating func add(_ text: String) {
        let scalars = text.unicodeScalars.lazy.filter(Self.isText).map(\.value)
        unsent += scalars.prefix(Self.maximumUnsent - unsent.count)
    }

    /// Notes the characters in a second that the far end takes; 0 if it has stated none.
    mutating func setFarRate(_ farRate: UInt32) {
        rate = farRate == 0 ? Self.usualRate : min(Int(farRate), Self.usualRate)
    }

    /// Sends the next characters, as many as may be sent now, with a function that returns whether it was possible.
    mutating func send(_ transmit: (UInt32) -> Bool) {
        let now = Instant.now
        let time = counted.milliseconds(until: now)
        // A fifth may be sent at once, and the rest as the time passes.
        allowance = min(allowance + time * rate * 4 / 5, 2_000 * rate)
        counted = now
        var count = 0
        while count < unsent.count, allowance >= 1_000, transmit(unsent[count]) {
            allowance -= 1_000
            count += 1
        }
        unsent.removeFirst(count)
    }

    /// Returns the text of characters that have come, with each end of a line as U+2028 (ITU-T T.140, section 8).
    mutating func text(of values: some Sequence<UInt32>) -> String {
        var scalars = String.UnicodeScalarView()
        for value in values {
            let endsReturn = hasReturned && value == 0x0A
            hasReturned = value == 0x0D
            switch value {
            case 0x0A where endsReturn: continue
            case 0x0A, 0x0D, 0x2028, 0x2029: scalars.append("\u{2028}")
            default: if let scalar = Unicode.Scalar(value), Self.isText(scalar) { scalars.append(scalar) }
            }
        }
        return String(scalars)
    }

    /// Returns whether a character belongs to text in either direction: erasure and the end of a line are the only controls.
    static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar.value == 0x08
        case .surrogate, .privateUse, .unassigned: false
        default: scalar.value != 0xFEFF
        }
    }
}

extension Call {
    /// Whether the far end's last offer has text that this phone can take.
    var offersText: Bool {
        // There are none before the far end has described its media.
        guard !account.isLoopback, MediaSections.takesText,
            let parameters = linphone_call_get_remote_params(handle)
        else { return false }
        return linphone_call_params_realtime_text_enabled(parameters) != 0
    }
}

extension Calls {
    /// Asks the far end of a call for text, unless it runs.
    func startText(of call: Call) {
        // The signalling of the others is the phone's.
        guard !call.account.isLoopback else { return send(.textRefused, of: call.id) }
        (call.text.isWanted, call.text.glareCount) = (true, 0)
        continueText(of: call)
    }

    /// Continues with the text of a call: asks for it when no other request is under way, and sends and reports characters.
    func continueText(of call: Call) {
        guard !call.account.isLoopback else { return }
        let runs = sipshims_has_text(call.handle)
        if runs { receiveText(of: call) }
        if runs != call.text.runs {
            call.text.runs = runs
            send(.textRuns(runs), of: call.id)
        }
        guard linphone_call_get_state(call.handle) == LinphoneCallStateStreamsRunning else { return }
        if !MediaSections.takesText {
            if call.text.isWanted || call.text.isAsked, !call.isRequesting {
                (call.text.isWanted, call.text.isAsked) = (false, false)
                send(.textRefused, of: call.id)
            }
            if runs { endText(of: call) }
        } else if runs {
            (call.text.isWanted, call.text.isAsked, call.text.glareCount) = (false, false, 0)
            call.text.setFarRate(sipshims_text_rate(call.handle))
            if !call.isHeld { call.text.send { sipshims_send_text(call.handle, $0) } }
        } else if call.text.isAsked, !call.isRequesting {
            call.text.isAsked = false
            endRequestForText(of: call)
        } else if call.text.isWanted, !call.isRequesting, call.wantsHold == nil, call.text.nextTime <= .now {
            askForText(of: call)
        }
    }

    private func askForText(of call: Call) {
        call.text.isWanted = false
        if change(call, hasText: true) {
            call.text.isAsked = true
        } else {
            send(.textRefused, of: call.id)
        }
    }

    /// Ends text that runs, because the user wants none any more; again later if the far end refuses that.
    private func endText(of call: Call) {
        guard !call.isRequesting, call.wantsHold == nil, call.text.nextTime <= .now, call.text.glareCount < 5
        else { return }
        call.text.glareCount += 1
        call.text.nextTime = Instant.now.advanced(by: 4_000)
        _ = change(call, hasText: false)
    }

    /// Asks the far end for a session with or without text; false if that cannot be requested now.
    private func change(_ call: Call, hasText: Bool) -> Bool {
        guard let parameters = linphone_core_create_call_params(core, call.handle) else { return false }
        defer { linphone_call_params_unref(parameters) }
        linphone_call_params_enable_video(parameters, 0)
        linphone_call_params_enable_realtime_text(parameters, hasText ? 1 : 0)
        linphone_call_params_enable_mandatory_media_encryption(
            parameters, call.account.settings.encryption == .required ? 1 : 0)
        return linphone_call_update(call.handle, parameters) == 0
    }

    /// Asks again later if a request of the far end crossed this one (491; RFC 3261, section 14.1), or gives up.
    private func endRequestForText(of call: Call) {
        let status = linphone_error_info_get_protocol_code(linphone_call_get_error_info(call.handle))
        guard status == 491, call.text.glareCount < 5 else { return send(.textRefused, of: call.id) }
        call.text.glareCount += 1
        call.text.isWanted = true
        let delay = call.isIncoming ? 0...2_000 : 2_100...4_000
        call.text.nextTime = Instant.now.advanced(by: Int.random(in: delay))
    }

    private func receiveText(of call: Call) {
        let text = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 512) { buffer in
            let count = sipshims_take_text(call.handle, buffer.baseAddress, buffer.count)
            return call.text.text(of: buffer.prefix(count))
        }
        if !text.isEmpty { send(.text(text), of: call.id) }
    }
}
