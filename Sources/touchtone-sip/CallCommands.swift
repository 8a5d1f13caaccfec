// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import HelperMessages
import SIPMessages

extension Calls {
    /// Executes a command; those for calls that do not exist are ignored: they may have just ended.
    func execute(_ command: SIPCallCommand, _ file: PassedDescriptor? = nil, for id: SIPCallID) {
        if executeForSound(command, file, for: id) { return }
        guard let call = self[id] else {
            if case .dial(let account, let address) = command {
                dial(id, account: account, address: address)
            } else if case .pickUp(let account, let address) = command {
                if id.rawValue.isMultiple(of: 2) { pickUp(id, account: account, address: address) }
            } else if !executeBefore(command, for: id), case .hangUp = command {
                sounds.forget(id)
            }
            return
        }
        switch command {
        case .dial, .pickUp: Log.warn("the phone used the number of a call twice")
        case .ring: linphone_call_notify_ringing(call.handle)
        case .answer: answer(call)
        case .hangUp: hangUp(call)
        case .declineAsBusy:
            call.isEndedByPhone = true
            linphone_call_decline(call.handle, LinphoneReasonBusy)
        case .redirect(let address): redirect(call, to: address)
        case .hold: setHold(true, call)
        case .resume: setHold(false, call)
        case .join(let other): join(id, with: other)
        case .transfer(let other): transfer(call, to: other)
        case .transferToAddress(let address): transfer(call, to: address)
        case .setMuted(let isMuted): setMuted(isMuted, call)
        case .sendKey(let key): addKey(key, length: Self.keyLength, to: call)
        case .pressKey(let key): addKey(key, length: nil, to: call)
        case .releaseKey: call.releaseKey()
        case .startText: startText(of: call)
        case .sendText(let text): call.text.add(text)
        case .measure: send(.quality(SIPQuality(of: call.handle)), of: id)
        case .watchMicrophone(let isWatched): meters.set(isWatched, id)
        case .prepareOffer, .prepareAnswer, .connect, .addCandidates, .setHeldByFarEnd: tell(command, call)
        case .setGreeting, .useMachine, .takeOver, .setAloud, .record, .stopRecording: break
        }
    }

    func handleTransfer(_ state: LinphoneCallState, of handle: OpaquePointer) {
        guard let call = call(of: handle) else { return }
        switch state {
        case LinphoneCallStateOutgoingProgress:
            send(.transferReported, of: call.id)
        case LinphoneCallStateConnected:
            // liblinphone ends the call, and the other parties end the one to which it was transferred (RFC 5589, section 7).
            call.isTransferred = true
            if let target = call.transferTarget {
                self[target]?.endsAt = Instant.now.advanced(by: Self.targetTime)
            }
        case LinphoneCallStateError: send(.transferRefused, of: call.id)
        default: break
        }
    }

    func handleKey(_ key: CInt, of handle: OpaquePointer) {
        guard let call = call(of: handle), let scalar = Unicode.Scalar(UInt32(bitPattern: key)) else {
            return
        }
        let text = String(scalar)
        guard Self.keys.contains(text) else { return }
        sounds.machines[call.id]?.machine.press(Character(scalar))
        send(.keyReceived(text), of: call.id)
    }

    func endTransferred(_ call: Call) {
        call.endsAt = nil
        call.isTransferred = true
        linphone_call_terminate(call.handle)
    }

    func endUnacknowledged(_ call: Call) {
        call.isUnacknowledged = true
        linphone_call_terminate(call.handle)
    }

    /// The time for which the far end of a transferred call may wait before it ends the call itself, in milliseconds.
    private static let targetTime = 10_000
    /// The time after which a request that is not INVITE has failed (RFC 3261, section 17.1.2.2, timer F), in milliseconds.
    private static let longestRequest = 32_000
    /// The length of a key that is not held, in milliseconds.
    private static let keyLength = 100
    /// The time from one key by INFO or as sound to the next, in milliseconds.
    private static let keyInterval = 160
    private static let maximumUnsentKeys = 100
    private static let keys = Set("0123456789*#ABCD".map(String.init))

    private func dial(_ id: SIPCallID, account accountID: String, address: String) {
        guard id.rawValue.isMultiple(of: 2) else { return }
        guard let account = accounts.account(accountID),
            let target = linphone_factory_create_address(linphone_factory_get(), address)
        else { return send(.ended(SIPEnd(.phone, status: 484)), of: id) }
        defer { linphone_address_unref(target) }
        dial(id, target, from: account)
    }

    /// Calls an address, in place of another call of its far end if there is one (RFC 3891).
    func dial(
        _ id: SIPCallID, _ target: OpaquePointer, from account: Account, replacing replaced: String? = nil
    ) {
        guard account.canReach(target) else { return send(.ended(SIPEnd(.phone, status: 416)), of: id) }
        // Without a folder for the certificate, there is no DTLS.
        guard
            account.settings.encryption != .required
                || account.mediaEncryption != LinphoneMediaEncryptionNone
        else { return send(.ended(SIPEnd(.phone, status: 488)), of: id) }
        prepareSound()
        guard
            let handle = invite(
                target, from: account, encryption: account.mediaEncryption, replacing: replaced)
        else { return send(.ended(SIPEnd(.network)), of: id) }
        let call = Call(id: id, account: account, handle: handle)
        call.replaced = replaced
        call.state = linphone_call_get_state(call.handle)
        call.isUnencryptedNext = account.settings.encryption == .offered
        add(call)
    }

    /// Calls an address; nil on failure.
    func invite(
        _ target: OpaquePointer, from account: Account, encryption: LinphoneMediaEncryption,
        replacing replaced: String? = nil
    ) -> OpaquePointer? {
        let parameters = linphone_core_create_call_params(core, nil)
        defer { linphone_call_params_unref(parameters) }
        if let replaced { setReplaced(replaced, of: parameters) }
        clinphone_use_account(parameters, core, account.key)
        linphone_call_params_enable_video(parameters, 0)
        linphone_call_params_set_media_encryption(parameters, encryption)
        linphone_call_params_enable_mandatory_media_encryption(
            parameters, account.settings.encryption == .required ? 1 : 0)
        codecs.use(account.settings.codecs)
        accounts.take(account)
        dialling = account
        defer { dialling = nil }
        return linphone_core_invite_address_with_params(core, target, parameters)
    }

    /// Dials again without encryption, and returns true, if that was refused; liblinphone does it for SDES.
    func redialUnencrypted(_ call: Call) -> Bool {
        let status = linphone_error_info_get_protocol_code(linphone_call_get_error_info(call.handle))
        guard call.isUnencryptedNext, !call.isAnswered, !call.isEndedByPhone,
            [415, 488, 606].contains(status),
            let handle = invite(
                linphone_call_get_to_address(call.handle), from: call.account,
                encryption: LinphoneMediaEncryptionNone, replacing: call.replaced)
        else { return false }
        call.isUnencryptedNext = false
        keepUntilReleased(call)
        call.replace(with: handle)
        return true
    }

    func answer(_ call: Call) {
        let parameters = linphone_core_create_call_params(core, call.handle)
        defer { linphone_call_params_unref(parameters) }
        linphone_call_params_enable_video(parameters, 0)
        linphone_call_params_enable_realtime_text(parameters, call.offersText ? 1 : 0)
        linphone_call_params_enable_mandatory_media_encryption(
            parameters, call.account.settings.encryption == .required ? 1 : 0)
        codecs.use(call.account.settings.codecs)
        guard prepareMachine(of: call) else { return hangUp(call) }
        linphone_call_accept_with_params(call.handle, parameters)
    }

    /// Holds or resumes a call, after a request that is under way.
    func setHold(_ isHeld: Bool, _ call: Call) {
        call.isHeld = isHeld
        call.repeatedHold = nil
        dropJoin(of: call)
        call.updateMicrophone()
        call.releaseKey()
        guard !call.isRequesting else {
            call.nextHold = isHeld
            return
        }
        call.nextHold = nil
        call.wantsHold = isHeld
        guard isHeld ? !pause(call) : !resume(call) else { return }
        call.wantsHold = nil
        call.isHeld = !isHeld
        call.updateMicrophone()
        send(isHeld ? .holdRefused : .resumeRefused, of: call.id)
        // No change of the session follows for which it could wait.
        if let address = call.nextTransfer { transfer(call, to: address) }
    }

    /// Holds a call; false if that cannot be requested now.
    private func pause(_ call: Call) -> Bool {
        linphone_call_get_conference(call.handle) != nil
            ? silence(true, call) : linphone_call_pause(call.handle) == 0
    }

    /// Resumes a call; false if that cannot be requested now.
    private func resume(_ call: Call) -> Bool {
        call.isSilent ? silence(false, call) : linphone_call_resume(call.handle) == 0
    }

    /// Holds or resumes a call where it is, among joined ones; false if that cannot be requested now.
    private func silence(_ isSilent: Bool, _ call: Call) -> Bool {
        guard let parameters = linphone_core_create_call_params(core, call.handle) else { return false }
        defer { linphone_call_params_unref(parameters) }
        linphone_call_params_set_audio_direction(
            parameters, isSilent ? LinphoneMediaDirectionInactive : LinphoneMediaDirectionSendRecv)
        guard linphone_call_update(call.handle, parameters) == 0 else { return false }
        call.isSilent = isSilent
        updateConference()
        return true
    }

    /// Continues with the hold or transfer that waits for another request: a new session, or a key by INFO.
    func continueAfterRequest(of call: Call) {
        // What the phone wanted from a change that has ended is reported first.
        guard !call.isRequesting, call.wantsHold == nil else { return }
        if let hold = call.nextHold {
            call.nextHold = nil
            if hold != call.isOnHold(in: linphone_call_get_state(call.handle)) { setHold(hold, call) }
        }
        if let address = call.nextTransfer { transfer(call, to: address) }
        if let other = call.nextJoin { join(call.id, with: other) }
    }

    /// Answers an incoming call with the address that its caller is to call; declines it if that is none.
    private func redirect(_ call: Call, to address: String) {
        call.isEndedByPhone = true
        let target = linphone_factory_create_address(linphone_factory_get(), address)
        defer { if let target { linphone_address_unref(target) } }
        // liblinphone writes an address with a name alone in brackets, as these characters require (RFC 3261, section 20.10).
        if let target, address.contains(where: { ",;?".contains($0) }) {
            linphone_address_set_display_name(target, "Diverted")
        }
        // liblinphone 5.1 makes an address of nothing, and sends the caller back to this phone.
        let hasPlace = target.flatMap { linphone_address_get_domain($0) }.map { $0.pointee != 0 } ?? false
        guard let target, hasPlace, linphone_call_redirect_to(call.handle, target) == 0 else {
            linphone_call_decline(call.handle, LinphoneReasonNotFound)
            return
        }
    }

    /// Transfers a call to an address, once no other request is under way: REFER would get lost.
    func transfer(_ call: Call, to address: String) {
        guard !call.isRequesting, call.repeatedHold == nil else { return call.nextTransfer = address }
        call.nextTransfer = nil
        if call.account.isLoopback || linphone_call_transfer(call.handle, address) != 0 {
            send(.transferRefused, of: call.id)
        }
    }

    private func transfer(_ call: Call, to other: SIPCallID) {
        guard let target = self[other] else { return }
        // The far end cannot call this process, and would learn of it.
        guard !call.account.isLoopback, !target.account.isLoopback else {
            return send(.transferRefused, of: call.id)
        }
        call.transferTarget = other
        if linphone_call_transfer_to_another(call.handle, target.handle) != 0 {
            send(.transferRefused, of: call.id)
        }
    }

    private func addKey(_ key: String, length: Int?, to call: Call) {
        call.releaseKey()
        // The far end would receive it later, in another place of its menu.
        guard !call.isHeldByFarEnd, Self.keys.contains(key), let code = key.utf8.first,
            call.unsentKeys.count < Self.maximumUnsentKeys
        else { return }
        call.unsentKeys.append(UnsentKey(code: CChar(code), length: length))
        sendKeys(of: call)
    }

    /// Sends the next key of a call, as soon as its media runs and the key before has ended; again if a
    /// change of devices replaced the stream before it was sent.
    func sendKeys(of call: Call) {
        guard let key = call.unsentKeys.first,
            linphone_call_get_state(call.handle) == LinphoneCallStateStreamsRunning
        else { return }
        let way = call.wayOfKeys
        if call.losesKeys != (way == .none) {
            call.losesKeys.toggle()
            send(.keysRefused(call.losesKeys), of: call.id)
        }
        guard way != .none else { return call.unsentKeys.removeAll() }
        if way != .events {
            guard call.nextKeyTime <= Instant.now else { return }
            call.nextKeyTime = Instant.now.advanced(by: Self.keyInterval)
            if way == .info {
                call.informedKeys.append(key.code)
                call.informedUntil = Instant.now.advanced(by: Self.longestRequest)
            }
            linphone_core_set_use_rfc2833_for_dtmf(core, way == .info ? 0 : 1)
            linphone_core_set_use_info_for_dtmf(core, way == .info ? 1 : 0)
            linphone_call_send_dtmf(call.handle, key.code)
            // Otherwise the next call offers no events.
            linphone_core_set_use_rfc2833_for_dtmf(core, 1)
            call.unsentKeys.removeFirst()
            return
        }
        switch key.isStarted ? sipshims_started_tone(call.handle) : SIPSHIMS_TONE_LOST {
        case SIPSHIMS_TONE_SENT: call.unsentKeys.removeFirst()
        case SIPSHIMS_TONE_LOST where sipshims_start_tone(call.handle, key.code, CInt(key.length ?? 0)):
            call.unsentKeys[0].isStarted = true
            call.isSendingHeldKey = key.length == nil
        default: break
        }
    }
}

extension Account {
    /// Returns whether the account allows a call with these parameters: it may require encryption.
    func accepts(_ parameters: OpaquePointer?) -> Bool {
        settings.encryption != .required
            || linphone_call_params_get_media_encryption(parameters) != LinphoneMediaEncryptionNone
    }

    /// Returns whether the transport protects calls to an address: `sips:` requires TLS (RFC 3261, section
    /// 26.2.2), but liblinphone calls it over any.
    func canReach(_ address: OpaquePointer?) -> Bool {
        settings.transport == .tls || linphone_address_get_secure(address) == 0
    }

    /// The encryption of calls: on other transports than TLS, the keys of SDES would be readable.
    var mediaEncryption: LinphoneMediaEncryption {
        switch settings.encryption {
        case .off: LinphoneMediaEncryptionNone
        case .offered, .required:
            settings.transport == .tls
                ? LinphoneMediaEncryptionSRTP
                : PrivateFolder.path == nil ? LinphoneMediaEncryptionNone : LinphoneMediaEncryptionDTLS
        }
    }
}

extension SIPQuality {
    init(of call: OpaquePointer) {
        let parameters = linphone_call_get_current_params(call)
        let codec = linphone_call_params_get_used_audio_payload_type(parameters)
        let encryption =
            switch linphone_call_params_get_media_encryption(parameters) {
            case LinphoneMediaEncryptionSRTP: "SRTP"
            case LinphoneMediaEncryptionDTLS: "DTLS-SRTP"
            default: ""
            }
        self.init(
            codec: codec.map { Texts.safe(linphone_payload_type_get_mime_type($0)) } ?? "",
            encryption: encryption)
        guard let stats = linphone_call_get_audio_stats(call) else { return }
        defer { linphone_call_stats_unref(stats) }
        loss = Double(linphone_call_stats_get_receiver_loss_rate(stats))
        jitter = Double(linphone_call_stats_get_receiver_interarrival_jitter(stats)) * 1_000
        roundTrip = Double(linphone_call_stats_get_round_trip_delay(stats)) * 1_000
    }
}
