// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import SIPMessages

final class Calls {
    let core: OpaquePointer
    let codecs: Codecs
    let accounts: Accounts
    let send: (SIPEvent) -> Void
    /// The far end of calls whose signalling is the phone’s.
    let endpoint = JingleEndpoint()
    /// The calls that wait for the check of their relay.
    var relayChecks: [SIPCallID: RelayCheck] = [:]
    private let conference: Conference
    private(set) var devices: SIPDevices
    private var microphone = SIPMicrophone()
    /// The answering machine and the recordings.
    let sounds: CallSounds
    /// The meters of the microphone.
    let meters = MicrophoneMeters()
    private var all: [SIPCallID: Call] = [:]
    /// Calls that have ended, until liblinphone releases them.
    private var ending: [OpaquePointer: Call] = [:]
    /// The call whose redirection is being followed.
    weak var redirectedCall: Call?
    /// The account of the call that liblinphone is making; nil if it is making none.
    var dialling: Account?
    private var nextID = 1
    private var arrivals: [Instant] = []
    private static let maximumRinging = 6
    /// The greatest number of incoming calls in a time, in milliseconds: more would keep the phone busy.
    private static let maximumArrivals = (count: 20, time: 10_000)

    init(
        core: OpaquePointer, codecs: Codecs, accounts: Accounts, devices: SIPDevices,
        send: @escaping (SIPEvent) -> Void
    ) {
        (self.core, self.codecs, self.accounts, self.send) = (core, codecs, accounts, send)
        self.devices = devices
        sounds = CallSounds { send(.call($1, $0)) }
        conference = Conference(core: core)
        sipshims_offer_sound(core)
        sipshims_add_machine_device(core)
        SoundDevices.choose(devices, core: core)
    }

    /// Whether there are no calls, also none that is ending.
    var isEmpty: Bool { all.isEmpty && ending.isEmpty && sounds.isEmpty }

    func hasAnswered(of account: Account) -> Bool {
        all.values.contains { $0.account === account && $0.isAnswered }
    }

    /// The addresses of the far ends; the endpoint has its own place in the filters.
    var farEndAddresses: Set<SIPAddress> {
        Set(all.values.filter { !$0.account.isLoopback }.compactMap(\.farEndAddress))
    }

    var endpointCalls: [Call] { all.values.filter { $0.account.isLoopback } }

    /// Whether liblinphone has a call, which may have ended.
    func isKept(_ id: SIPCallID) -> Bool { all[id] != nil || ending.values.contains { $0.id == id } }

    subscript(id: SIPCallID) -> Call? { all[id] }

    func call(of handle: OpaquePointer) -> Call? { all.values.first { $0.handle == handle } }

    /// Returns the call with a Call-ID, possibly one that has ended.
    func call(withCallID id: String) -> Call? {
        (Array(all.values) + ending.values).first {
            $0.otherCallIDs.contains(id)
                || linphone_call_log_get_call_id(linphone_call_get_call_log($0.handle)).map {
                    String(cString: $0)
                } == id
        }
    }

    /// Lets liblinphone use the account of a call, or of the call that the far end transfers, with its codecs
    /// and encryption, for the next session or call that it makes by itself.
    func prepareSession(of handle: OpaquePointer) {
        let known = call(of: handle) ?? linphone_call_get_transferer_call(handle).flatMap { call(of: $0) }
        // To dial, liblinphone may first hold another call, of another account.
        guard let account = known?.account ?? dialling else { return }
        codecs.use(account.settings.codecs)
        accounts.take(account)
    }

    func add(_ call: Call) { all[call.id] = call }

    /// Continues with what waits for its time: keys, holds after glare, and devices.
    func continueAll() {
        conference.openDevices()
        continueRelayChecks()
        continueEndpoint()
        continueSounds()
        if sipshims_take_changed_gains() { setGains() }
        for (id, level) in meters.levels(of: { all[$0] }) { send(.microphone(level), of: id) }
        for call in all.values {
            continueAfterRequest(of: call)
            sendKeys(of: call)
            continueText(of: call)
            if let hold = call.takeDueHold() { setHold(hold, call) }
            if let isSilent = call.silence.check(call) { send(.silent(isSilent), of: call.id) }
            if let time = call.endsAt, time <= Instant.now { endTransferred(call) }
            if call.acknowledgement?.isOverdue == true, !call.isUnacknowledged { endUnacknowledged(call) }
            if !call.isUnprotected, sipshims_has_failed_handshake(call.handle) { endUnprotected(call) }
        }
    }

    /// Ends all calls, or those of one account.
    func hangUpAll(of account: String? = nil) {
        if account == nil { relayChecks = [:] }
        for call in all.values where account == nil || call.account.settings.id == account { hangUp(call) }
    }

    func send(_ event: SIPCallEvent, of id: SIPCallID) { send(.call(id, event)) }

    /// Ends, declines or cancels a call.
    func hangUp(_ call: Call) {
        call.isEndedByPhone = true
        // Otherwise liblinphone resumes the call that the far end transferred.
        if let old = call.transferor, ending[old] != nil { linphone_call_terminate(old) }
        linphone_call_terminate(call.handle)
    }

    /// Changes the devices of future and present calls.
    func setDevices(_ devices: SIPDevices) {
        self.devices = devices
        SoundDevices.choose(devices, core: core)
        for call in all.values {
            call.releaseKey()
            if sounds.machines[call.id] == nil {
                SoundDevices.choose(devices, for: call.handle, core: core)
            } else {
                prepareMachine(of: call)
            }
            call.updateMicrophone()
        }
        conference.changeDevices()
    }

    /// Changes the microphone of future and present calls.
    func setMicrophone(_ microphone: SIPMicrophone) {
        self.microphone = microphone
        sipshims_suppress_noise(microphone.suppressesNoise)
        setGains()
    }

    /// Gives the microphones of all calls that are not muted their gain.
    private func setGains() {
        let gain = Float(min(max(microphone.gain, -20), 20))
        for call in all.values {
            let isJoined = linphone_call_get_conference(call.handle) != nil
            guard isJoined ? !isMutedForJoined : !call.isMicrophoneClosed else { continue }
            sipshims_set_gain(call.handle, isJoined, gain)
        }
    }

    /// Makes sure that the only call, which is about to begin, can be heard: ending ones have no sound.
    func prepareSound() {
        if all.isEmpty { SoundDevices.renew(devices, core: core) }
    }

    func join(_ id: SIPCallID, with other: SIPCallID) {
        // liblinphone aborts if a call is joined with itself.
        guard id != other, let first = all[id], let second = all[other] else { return }
        // liblinphone would send nothing to a call that is joined while its session changes.
        guard !first.isRequesting, !second.isRequesting else { return first.nextJoin = other }
        first.nextJoin = nil
        conference.join(first, second)
        for call in [first, second] {
            call.isHeld = false
            if call.isSilent { setHold(false, call) }
        }
        updateConference()
    }

    /// Joins a call with none any more.
    func dropJoin(of call: Call) {
        for other in all.values where other === call || other.nextJoin == call.id { other.nextJoin = nil }
    }

    /// Mutes or unmutes the microphone of a call, and of the calls that are joined with it.
    func setMuted(_ isMuted: Bool, _ call: Call) {
        call.isMuted = isMuted
        call.updateMicrophone()
        updateConference()
    }

    /// Lets the user in or out of the conversation of joined calls, and mutes them there, as these calls are.
    func updateConference() {
        let joined = all.values.filter { linphone_call_get_conference($0.handle) != nil }
        if !joined.isEmpty { conference.setPresent(!joined.allSatisfy(\.isSilent)) }
        conference.setMuted(isMutedForJoined)
    }

    /// Whether the user is muted for joined calls.
    var isMutedForJoined: Bool {
        all.values.contains { $0.isMuted && linphone_call_get_conference($0.handle) != nil }
    }

    func handle(_ state: LinphoneCallState, of handle: OpaquePointer) {
        if state == LinphoneCallStateReleased { ending[handle] = nil }
        if let call = call(of: handle) {
            let old = call.state
            call.state = state
            report(state, after: old, of: call)
        } else if state == LinphoneCallStateIncomingReceived {
            receive(handle)
        } else if state == LinphoneCallStateOutgoingInit,
            let transferred = linphone_call_get_transferer_call(handle),
            let call = call(of: transferred)
        {
            // The far end transferred the call (REFER): the phone goes on with the new one.
            keepUntilReleased(call)
            goOn(call, with: handle)
            call.transferor = transferred
            send(.farEndChanged(call.farEnd), of: call.id)
        }
    }

    /// Continues a call with another one of liblinphone, which the answering machine has if it had the call.
    private func goOn(_ call: Call, with handle: OpaquePointer) {
        call.replace(with: handle)
        prepareMachine(of: call)
    }

    /// Keeps liblinphone's call of a call that ends or goes on with another.
    func keepUntilReleased(_ call: Call) {
        let state = linphone_call_get_state(call.handle)
        guard state != LinphoneCallStateReleased else { return }
        ending[call.handle] = Call(id: call.id, account: call.account, handle: call.handle)
    }

    private func receive(_ handle: OpaquePointer) {
        if receiveFromEndpoint(handle) { return }
        let replacedCall = linphone_call_get_replaced_call(handle).flatMap { self.call(of: $0) }
        guard let account = replacedCall?.account ?? accounts.account(calledBy: handle) else {
            return drop(handle, LinphoneReasonNotFound)
        }
        guard account.accepts(linphone_call_get_params(handle)) else {
            return drop(handle, LinphoneReasonNotAcceptable)
        }
        if let call = replacedCall {
            // A third party takes over the call (RFC 3891), which liblinphone answers, unless the far end has not answered.
            let old = call.handle
            let isPickedUp = !call.isAnswered && linphone_call_get_dir(old) == LinphoneCallOutgoing
            keepUntilReleased(call)
            goOn(call, with: handle)
            send(.farEndChanged(call.farEnd), of: call.id)
            // Only then does liblinphone answer it, and end the other.
            linphone_call_notify_ringing(handle)
            guard isPickedUp else { return }
            linphone_call_terminate(old)
            return answer(call)
        }
        let ringing = all.values.filter { $0.state == LinphoneCallStateIncomingReceived }
        arrivals.removeAll { $0.milliseconds(until: .now) >= Self.maximumArrivals.time }
        guard ringing.count < Self.maximumRinging, arrivals.count < Self.maximumArrivals.count else {
            return drop(handle, LinphoneReasonBusy)
        }
        arrivals.append(.now)
        prepareSound()
        let call = Call(id: SIPCallID(rawValue: nextID), account: account, handle: handle)
        nextID += 2
        call.state = LinphoneCallStateIncomingReceived
        all[call.id] = call
        send(
            .incoming(
                account: account.settings.id, caller: call.farEnd, offersText: call.offersText,
                diversions: call.diversions),
            of: call.id)
    }

    private func drop(_ handle: OpaquePointer, _ reason: LinphoneReason) {
        linphone_call_decline(handle, reason)
    }

    private func report(_ state: LinphoneCallState, after old: LinphoneCallState, of call: Call) {
        switch state {
        case LinphoneCallStateOutgoingRinging:
            send(.ringing, of: call.id)
        case LinphoneCallStateOutgoingEarlyMedia:
            guard !call.hasEarlyMedia else { return }
            call.hasEarlyMedia = true
            send(.earlyMedia, of: call.id)
        case LinphoneCallStateConnected:
            call.transferor = nil
            if call.isMuted { call.updateMicrophone() }
            guard !call.isAnswered else { return }
            guard call.canSend else { return endWithoutFormat(call) }
            call.isAnswered = true
            call.acknowledgement?.answerSent()
            send(.answered, of: call.id)
            if !SoundDevices.hasMicrophone(core), sounds.machines[call.id] == nil {
                send(.noMicrophone, of: call.id)
            }
        case LinphoneCallStateStreamsRunning, LinphoneCallStatePaused, LinphoneCallStatePausedByRemote:
            if state == LinphoneCallStateStreamsRunning,
                !call.account.accepts(linphone_call_get_params(call.handle))
            {
                // liblinphone made the call after a transfer, without encryption.
                linphone_call_terminate(call.handle)
                return
            }
            guard old != LinphoneCallStateConnected || call.canSend else { return endWithoutFormat(call) }
            updateConference()
            call.noteFirstFarEnd()
            reportHold(state, after: old, of: call)
        case LinphoneCallStateEnd, LinphoneCallStateError:
            end(call)
        default: break
        }
    }

    /// Ends a call whose far end answered with no audio format that this phone offered: liblinphone would go on, in silence.
    private func endWithoutFormat(_ call: Call) {
        guard !call.hasNoFormat else { return }
        call.hasNoFormat = true
        if linphone_call_get_state(call.handle) != LinphoneCallStateError {
            linphone_call_terminate(call.handle)
        }
    }

    /// Ends a call whose media cannot be encrypted, in silence.
    private func endUnprotected(_ call: Call) {
        call.isUnprotected = true
        linphone_call_terminate(call.handle)
    }

    private func reportHold(_ state: LinphoneCallState, after old: LinphoneCallState, of call: Call) {
        if old == LinphoneCallStateUpdating, let wantsHold = call.wantsHold {
            // A request that failed has changed nothing; the far end may hold a call that the phone resumes.
            let direction = linphone_call_params_get_audio_direction(
                linphone_call_get_current_params(call.handle))
            let isFarEnd = state == LinphoneCallStatePausedByRemote || call.isHeldByFarEnd
            call.isSilent = direction == LinphoneMediaDirectionInactive && (wantsHold || !isFarEnd)
            updateConference()
        }
        let isPaused = call.isOnHold(in: state)
        if let wantsHold = call.wantsHold,
            [LinphoneCallStatePausing, LinphoneCallStateResuming, LinphoneCallStateUpdating].contains(old)
        {
            call.wantsHold = nil
            if wantsHold == isPaused {
                call.glareCount = 0
                call.updateMicrophone()
            } else if !call.repeatAfterGlare(hold: wantsHold) {
                call.isHeld = isPaused
                call.updateMicrophone()
                send(wantsHold ? .holdRefused : .resumeRefused, of: call.id)
            }
        }
        // liblinphone does not resume a call while it tells of its leaving the joined ones; `continueAll` does.
        if !call.isSilent { continueAfterRequest(of: call) }
        let isHeld =
            isPaused || old == state
            ? call.isHeldByFarEnd
            : state == LinphoneCallStatePausedByRemote
                || old == LinphoneCallStateConnected && call.beginsHeld
        guard isHeld != call.isHeldByFarEnd else { return }
        call.isHeldByFarEnd = isHeld
        if isHeld { call.discardKeys() }
        send(.heldByFarEnd(isHeld), of: call.id)
    }

    /// Continues with the call that the far end wanted to transfer, which liblinphone resumes if the target
    /// was not reached; returns whether the call goes on.
    private func returnToTransferor(_ call: Call) -> Bool {
        guard !call.isEndedByPhone, let old = call.transferor, ending[old] != nil else { return false }
        keepUntilReleased(call)
        call.transferor = nil
        goOn(call, with: old)
        ending[old] = nil
        send(.farEndChanged(call.farEnd), of: call.id)
        return true
    }

    private func end(_ call: Call) {
        if redialUnencrypted(call) || dialAlternative(call) || returnToTransferor(call) { return }
        guard all.removeValue(forKey: call.id) != nil else { return }
        call.releaseKey()
        sounds.end(call.id, SIPEnd(of: call))
        keepUntilReleased(call)
    }
}
