// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

enum KeyWay {
    /// Telephone events (RFC 4733).
    case events
    /// INFO with `application/dtmf-relay`.
    case info
    /// Tones in the sound, which only PCMA and PCMU carry.
    case sound
    /// No way: the key is lost.
    case none
}

extension Call {
    /// The way of the next key: that of the account, unless the far end does not have it or refuses it.
    var wayOfKeys: KeyWay {
        let hasEvents = sipshims_has_events(handle)
        let others: KeyWay = hasEvents ? .events : sipshims_carries_tones(handle) ? .sound : .none
        return switch account.settings.dtmf {
        case .rfc4733: hasEvents ? .events : .none
        case .info: refusesInfo ? others : .info
        case .automatic: hasEvents || refusesInfo ? others : .info
        }
    }

    /// Handles the response to the first key by INFO that has none: if the far end refuses it, it is sent in another way,
    /// before the keys after it.
    ///
    /// - Parameter sequence: The request's number. The requests go out one after another, so that a response to an earlier one
    ///   is a repetition (RFC 3261, section 12.2.1.1).
    func keyWasAnswered(sequence: UInt, isRefused: Bool) {
        guard !informedKeys.isEmpty, sequence > answeredKeySequence else { return }
        answeredKeySequence = sequence
        let code = informedKeys.removeFirst()
        guard isRefused else { return }
        refusesInfo = true
        // It would arrive in another place of the far end's menu.
        guard !isHeldByFarEnd else { return }
        var key = UnsentKey(code: code, length: Self.repeatedKeyLength)
        key.isRepeated = true
        unsentKeys.insert(key, at: unsentKeys.prefix { $0.isStarted || $0.isRepeated }.count)
    }

    /// The length of a repeated key, in milliseconds.
    private static let repeatedKeyLength = 100
}

extension Calls {
    /// Watches the responses to keys by INFO from now on.
    func beginKeyWatch() {
        sipshims_watch_keys(
            { context, callID, sequence, isRefused in
                guard let context, let callID else { return }
                let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
                calls.call(withCallID: String(cString: callID))?.keyWasAnswered(
                    sequence: sequence, isRefused: isRefused)
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
