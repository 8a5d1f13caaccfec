// SPDX-License-Identifier: GPL-3.0-or-later

import CLinphone
import CSIPShims
import HelperMessages
import RecordedSound
import SIPMessages

// The answering machine, and recordings of calls.
extension Calls {
    /// Executes a command about them, also for a call that liblinphone does not have yet; returns whether it was one.
    func executeForSound(_ command: SIPCallCommand, _ file: PassedDescriptor?, for id: SIPCallID) -> Bool {
        switch command {
        case .setGreeting: if canBegin(id) { sounds.setGreeting(file, of: id) }
        case .useMachine(let limit, let isAloud):
            if canBegin(id) { sounds.useMachine(file, limit: limit, isAloud: isAloud, for: id) }
        case .takeOver: takeOver(id)
        case .setAloud(let isAloud): setAloud(isAloud, id)
        case .record(let withTone):
            guard self[id] != nil else { break }
            sounds.record(file, withTone: withTone, of: id)
        case .stopRecording: sounds.endRecording(of: id, .stopped)
        default: return false
        }
        return true
    }

    /// Whether a call exists, or its sound may be prepared; an incoming call may have just ended.
    private func canBegin(_ id: SIPCallID) -> Bool { self[id] != nil || id.rawValue.isMultiple(of: 2) }

    /// Lets a call that the machine is to have use no device of the user, but for the one on which it is heard.
    ///
    /// Returns false if that is not possible: the far end must not hear the room.
    @discardableResult
    func prepareMachine(of call: Call) -> Bool {
        guard !sounds.isRefused(call.id) else { return false }
        guard let machine = sounds.machines[call.id] else { return true }
        return SoundDevices.chooseMachine(
            for: call.handle, core: core, ringing: machine.machine.isAloud ? devices.ringing : nil)
    }

    /// Goes on with the machines and recordings.
    func continueSounds() {
        for (id, machine) in sounds.machines {
            guard let call = self[id] else { continue }
            machine.tap.follow(call)
            if canHearMachine(call) { machine.machine.begin() }
            let step = machine.machine.work(packets: Silence.packets(of: call))
            if step == .recording, !machine.isRecording {
                sounds.setRecording(id)
                send(.machineRecords, of: id)
            }
            guard let end = machine.machine.end, step == .over || end == .failed else { continue }
            sounds.endMachine(of: id, end)
            hangUp(call)
        }
        for (id, recording) in sounds.recordings {
            guard let call = self[id] else { continue }
            let isJoined = linphone_call_get_conference(call.handle) != nil
            recording.recording.set(
                isPaused: !call.isAnswered || call.isHeld || call.isHeldByFarEnd,
                isMuted: isJoined ? isMutedForJoined : call.isMuted)
            recording.tap.follow(call)
            if recording.recording.hasFailed { sounds.endRecording(of: id, .failed) }
        }
        sounds.work()
    }

    private func takeOver(_ id: SIPCallID) {
        guard sounds.machines[id] != nil else { return }
        sounds.endMachine(of: id, .stopped)
        guard let call = self[id] else { return }
        SoundDevices.choose(devices, for: call.handle, core: core)
        call.updateMicrophone()
        if !SoundDevices.hasMicrophone(core) { send(.noMicrophone, of: id) }
    }

    private func setAloud(_ isAloud: Bool, _ id: SIPCallID) {
        guard let machine = sounds.machines[id]?.machine, machine.isAloud != isAloud else { return }
        machine.setAloud(isAloud)
        // The device stays open when nobody is to be heard any more: the recording would have a gap.
        guard isAloud, let call = self[id], call.isAnswered else { return }
        prepareMachine(of: call)
    }

    /// Whether the far end hears the machine: the sound runs, and is encrypted if it is to be.
    private func canHearMachine(_ call: Call) -> Bool {
        guard call.isAnswered,
            linphone_call_get_state(call.handle) == LinphoneCallStateStreamsRunning
        else { return false }
        if call.account.isLoopback { return endpoint[call.id]?.isConnected ?? false }
        let parameters = linphone_call_get_current_params(call.handle)
        return linphone_call_params_get_media_encryption(parameters) != LinphoneMediaEncryptionDTLS
            || sipshims_is_encrypted(call.handle)
    }
}
