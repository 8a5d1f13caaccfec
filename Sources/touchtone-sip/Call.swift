// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

final class Call {
    let id: SIPCallID
    let account: Account
    /// liblinphone's call; another one after the far end transferred the call.
    private(set) var handle: OpaquePointer
    var state = LinphoneCallStateIdle
    var isAnswered = false
    var isEndedByPhone = false
    /// Whether it ends because the far end answered with no audio format that this phone offered.
    var hasNoFormat = false
    /// Whether it ends because no way to the far end was found, or it was lost.
    var hasNoWay = false
    /// The state of its relay, if it ends for that reason; otherwise nil.
    var relayFault: SIPRelayState?
    /// Whether it ends because its media cannot be encrypted.
    var isUnprotected = false
    /// Whether it ends because the far end redirected it to a `sips:` address, which the account cannot call.
    var isLedToSecureAddress = false
    /// The call of the far end that this one takes over, in a field of its request; nil if it takes over none.
    var replaced: String?
    /// The addresses to which the call went, if the far end redirected it.
    var redirections: [String] = []
    /// The other addresses of its last redirection, in the order in which they are tried; at most five.
    var alternatives: [String] = []
    /// The Call-IDs of its requests after redirections.
    var otherCallIDs: Set<String> = []
    var isTransferred = false
    var isMuted = false
    /// Whether the phone holds the call, or wants to.
    var isHeld = false
    /// Whether it is held among joined calls, or was: without sound in either direction (RFC 3264, section 8.4).
    ///
    /// liblinphone 5.3 cannot pause a joined call, and 5.1 leaves one of three where the others hear it.
    var isSilent = false
    /// liblinphone's call that the far end transfers, until the target answers; nil if there is none.
    var transferor: OpaquePointer?
    var isHeldByFarEnd = false
    var hasEarlyMedia = false
    /// Whether the call is dialled once more, without encryption, if the far end refuses it with encryption.
    var isUnencryptedNext = false
    /// The far end, as the server last named it or the call names it; nil before there is a session or another name.
    var sessionFarEnd: SIPParty?
    /// The last From of a request within the call that differed from that of the call; nil if none has.
    var lastFrom: SIPParty?
    var unsentKeys: [UnsentKey] = []
    var text = CallText()
    /// Whether the key that is being sent ends with `releaseKey()`.
    var isSendingHeldKey = false
    /// The keys that were sent by INFO and not answered yet, in order.
    var informedKeys: [CChar] = []
    /// The time at which the last of them is given up.
    var informedUntil = Instant.now
    /// The number of the last request with a key that was answered.
    var answeredKeySequence: UInt = 0
    /// Whether the far end refuses keys by INFO.
    var refusesInfo = false
    /// Whether the phone knows that keys are lost.
    var losesKeys = false
    /// The time at which the next key may be sent by INFO.
    var nextKeyTime = Instant.now
    /// Whether liblinphone is to hold the call, or to resume it; nil if it does neither.
    var wantsHold: Bool?
    /// Whether the call is to be held or resumed when the present request has ended; nil for neither.
    var nextHold: Bool?
    /// The address to which the call is to be transferred once no other request is under way.
    var nextTransfer: String?
    /// The call with which this one is to be joined once neither has a request under way.
    var nextJoin: SIPCallID?
    var silence = Silence()
    /// The call to whose far end this one is being transferred; nil if it is not transferred to a call.
    var transferTarget: SIPCallID?
    /// The time at which the phone ends the call after a transfer, because the far end does not; nil if none.
    var endsAt: Instant?
    /// The confirmation of the answer to an incoming call; nil for other calls.
    let acknowledgement: Acknowledgement?
    /// Whether it ends because that confirmation did not arrive.
    var isUnacknowledged = false
    /// The hold or resumption to repeat, and its time; nil if there is none.
    var repeatedHold: (isHeld: Bool, time: Instant)?
    /// The number of holds or resumptions in a row that met a request of the far end.
    var glareCount = 0

    init(id: SIPCallID, account: Account, handle: OpaquePointer) {
        (self.id, self.account) = (id, account)
        self.handle = linphone_call_ref(handle)
        let isIncoming = linphone_call_get_dir(handle) == LinphoneCallIncoming
        acknowledgement = isIncoming ? Acknowledgement(of: handle) : nil
    }

    deinit { linphone_call_unref(handle) }

    /// Ends the key that the user holds, if any.
    func releaseKey() {
        if isSendingHeldKey { sipshims_stop_tone(handle) }
        isSendingHeldKey = false
        guard let last = unsentKeys.indices.last, unsentKeys[last].length == nil else { return }
        unsentKeys[last].length = max(1, unsentKeys[last].pressed.milliseconds(until: .now))
    }

    /// Discards the keys that were not sent, because the far end does not listen any more.
    func discardKeys() {
        releaseKey()
        unsentKeys = []
    }

    /// Continues with another call of liblinphone, which is muted and held as this one was.
    func replace(with handle: OpaquePointer) {
        releaseKey()
        linphone_call_ref(handle)
        linphone_call_unref(self.handle)
        self.handle = handle
        state = linphone_call_get_state(handle)
        wantsHold = nil
        nextHold = isHeld ? true : nil
        (sessionFarEnd, lastFrom) = (nil, nil)
        (informedKeys, answeredKeySequence, refusesInfo) = ([], 0, false)
        (repeatedHold, glareCount, nextTransfer, nextJoin) = (nil, 0, nil, nil)
        isSilent = false
        text.isWanted = false
        if isMuted { updateMicrophone() }
    }

    /// Mutes liblinphone's call if the phone has muted this one, or already shows that it is on hold while the hold is
    /// repeated after glare; otherwise unmutes it.
    ///
    /// Does nothing without a stream, on which liblinphone would crash: if the phones have no media in common.
    func updateMicrophone() {
        guard sipshims_has_stream(handle) else { return }
        linphone_call_set_microphone_muted(handle, isMicrophoneClosed ? 1 : 0)
    }

    /// Whether the far end hears nothing of the microphone.
    var isMicrophoneClosed: Bool { isMuted || isHeld && glareCount > 0 }

    /// Whether the far end's answer allows this phone to send sound; true also while that is not known.
    var canSend: Bool {
        switch linphone_call_get_state(handle) {
        case LinphoneCallStateStreamsRunning:
            let parameters = linphone_call_get_current_params(handle)
            // Nobody sends while the far end holds the call from its start (RFC 3264, section 5.1).
            return linphone_call_params_get_audio_direction(parameters) == LinphoneMediaDirectionInactive
                || linphone_call_params_get_used_audio_payload_type(parameters) != nil
                    && sipshims_can_send(handle)
        // liblinphone has given up the call for that reason.
        case LinphoneCallStateError: return false
        default: return true
        }
    }

    /// Whether the far end holds the call in its first session (RFC 3264, section 8.4): it only sends, or does neither.
    ///
    /// liblinphone tells it of a hold later in a call, but not of an incoming call that begins so. Later, it does not change
    /// this direction.
    var beginsHeld: Bool {
        let direction = linphone_call_params_get_audio_direction(linphone_call_get_current_params(handle))
        return direction == LinphoneMediaDirectionRecvOnly || direction == LinphoneMediaDirectionInactive
    }

    /// Whether the phone holds it, in a state of liblinphone.
    func isOnHold(in state: LinphoneCallState) -> Bool {
        state == LinphoneCallStatePaused || isSilent
    }

    /// Whether a change of the session is under way, during which another would be refused (RFC 3261, section 14.1).
    ///
    /// liblinphone 5.3 may tell later that it has ended: a request in between would be taken for the one that has.
    var isNegotiating: Bool {
        let changes = [
            LinphoneCallStatePausing, LinphoneCallStateResuming, LinphoneCallStateUpdating,
            LinphoneCallStateUpdatedByRemote, LinphoneCallStateConnected,
        ]
        return changes.contains(linphone_call_get_state(handle)) || changes.contains(state)
    }

    /// Whether a request within the call (also a key by INFO) is under way: belle-sip sends no other then.
    var isRequesting: Bool { isNegotiating || (!informedKeys.isEmpty && Instant.now < informedUntil) }

    /// The far end, as a trusted registrar asserts it (RFC 3325); only registrars can call, see `SIPSockets`.
    var farEnd: SIPParty { (isIncoming ? assertedFarEnd : nil) ?? addressedFarEnd }

    /// The far end by the address of the call, which nobody asserts.
    ///
    /// liblinphone 5.3 has no text for the address of a caller that is a telephone number. The last message may be the far
    /// end's, or its response; the phone's own address is never a number.
    var addressedFarEnd: SIPParty {
        let telephone =
            isIncoming
            ? AssertedIdentities.telephone(in: field("From") ?? "")
                ?? AssertedIdentities.telephone(in: field("To") ?? "") : nil
        return telephone ?? SIPParty(linphone_call_get_remote_address(handle))
    }

    /// The far end by the identity that the server asserts in its last message; nil if there is none.
    var assertedFarEnd: SIPParty? {
        if let asserted = field("P-Asserted-Identity") {
            return AssertedIdentities.party(in: asserted, privacy: field("Privacy") ?? "")
        }
        return field("Remote-Party-ID").flatMap {
            AssertedIdentities.remoteParty(in: $0, isCaller: isIncoming)
        }
    }

    /// How often the call was diverted before it came here, as its request says.
    var diversions: Int { field("X-Touchtone-Diversions").flatMap { Int($0) } ?? 0 }

    private func field(_ name: String) -> String? {
        linphone_call_params_get_custom_header(linphone_call_get_remote_params(handle), name).map {
            String(cString: $0)
        }
    }

    /// The network address that the far end gives for requests to it; nil if it is a name.
    var farEndAddress: SIPAddress? {
        guard let contact = linphone_call_get_remote_contact(handle),
            let address = linphone_factory_create_address(linphone_factory_get(), contact)
        else { return nil }
        defer { linphone_address_unref(address) }
        return SIPAddress(
            numeric: Texts.safe(linphone_address_get_domain(address)).filter { $0 != "[" && $0 != "]" })
    }
}

extension Call {
    /// Repeats a hold or resumption later (RFC 3261, section 14.1), if a request of the far end crossed it
    /// (491); returns whether it does.
    func repeatAfterGlare(hold isHeld: Bool) -> Bool {
        let status = linphone_error_info_get_protocol_code(linphone_call_get_error_info(handle))
        guard status == 491, glareCount < 5 else { return false }
        glareCount += 1
        let delay = isIncoming ? 0...2_000 : 2_100...4_000
        repeatedHold = (isHeld, Instant.now.advanced(by: Int.random(in: delay)))
        updateMicrophone()
        return true
    }

    /// Removes and returns the hold or resumption to repeat now; nil if there is none.
    func takeDueHold() -> Bool? {
        guard let hold = repeatedHold, hold.time <= Instant.now else { return nil }
        repeatedHold = nil
        return hold.isHeld
    }
}

struct UnsentKey {
    /// The character, in ASCII.
    let code: CChar
    /// The length in milliseconds, 80 at least; nil while the user holds the key.
    var length: Int?
    let pressed = Instant.now
    /// Whether it was given to the stream, which may be replaced before it sends the key.
    var isStarted = false
    /// Whether the far end refused it as INFO.
    var isRepeated = false
}

extension SIPParty {
    init(_ address: OpaquePointer?) {
        guard let address, let copy = linphone_address_clone(address) else {
            self.init(address: "")
            return
        }
        defer { linphone_address_unref(copy) }
        linphone_address_clean(copy)
        let text = linphone_address_as_string_uri_only(copy)
        defer { bctbx_free(text) }
        self.init(
            address: Texts.safe(text), displayName: Texts.safe(linphone_address_get_display_name(address)))
    }
}
