// SPDX-License-Identifier: GPL-3.0-or-later

// What the line of a call reports.
extension CallManager {
    func handle(_ event: CallEvent, of id: Int) {
        switch event {
        case .noMicrophone: update(id) { $0.lacksMicrophone = true }
        case .silent(let isSilent): update(id) { $0.isSilent = isSilent }
        case .keysRefused(let areRefused): update(id) { $0.setRefusesKeys(areRefused) }
        case .heldByFarEnd(let isHeld): update(id) { $0.isHeldByFarEnd = isHeld }
        case .quality(let quality): update(id) { $0.quality = quality }
        case .onPhone(let action): follow(action, of: id)
        case .text(let event): handleText(event, of: id)
        case .machineRecords, .recorded: handleRecording(event, of: id)
        case .farEndChanged(let remote): update(id) { $0.remote = remote.bounded }
        case .transferRefused:
            // Of two calls that were to be transferred to each other, only one is reported. Either may be tried again.
            let peer = calls.first { $0.id == id }?.transferPeer
            for call in calls where call.transfer == .pending && (call.id == id || call.id == peer) {
                update(call.id) { $0.transfer = $0.state == .held ? .failed : nil }
            }
        case .holdRefused:
            let group = calls.first { $0.id == id }?.group
            update(id) { $0.refusedHold = true }
            step(id) { call, time in call.machine.handle(event, at: time) }
            stopTakingNumber()
            // The call is heard again, so that no other call can be heard.
            for other in calls where other.id != id && other.state.isLive && other.state != .held {
                // All of a conversation go on in it.
                if let group, other.group == group, other.state == .connected || other.state == .joined {
                    for call in [other.id, id] { apply(.join, call) }
                    continue
                }
                apply(other.state.isConversation && other.canHold ? .hold : .hangUp, other.id)
            }
        case .microphoneLevel: break
        case .ringing, .earlyMedia, .answered, .resumeRefused, .ended:
            step(id) { call, time in call.machine.handle(event, at: time) }
            if event == .answered { startTextByItself(of: id) }
        }
    }
}
