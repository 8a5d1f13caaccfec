// SPDX-License-Identifier: GPL-3.0-or-later

// Actions on one call, whichever it is, for those who know it by its id: programs on the bus.

extension CallManager {
    /// The reason why an action on a call has no effect.
    public enum Refusal: Error, Hashable, Sendable, CaseIterable {
        /// The call has ended.
        case ended
        /// The call can't do this, or not in its state.
        case impossible
        /// Another call can't be put on hold for it.
        case inUse
        /// As many keys as can wait to be sent are waiting already.
        case full
    }

    /// The greatest number of keys that wait to be sent.
    public static let maximumWaitingKeys = 64

    /// Answers an incoming call, and holds the active call or ends it if it cannot be held.
    public func answerCall(_ id: Call.ID) throws(Refusal) {
        let call = try find(id)
        guard call.state == .incoming else { throw .impossible }
        answer(call)
    }

    /// Ends or declines a call; a number that was handed over to another app is not this phone’s to end.
    public func endCall(_ id: Call.ID) throws(Refusal) {
        guard canHangUp(try find(id)) else { throw .impossible }
        hangUp(id)
    }

    /// Holds a call, alone if it was joined with another; does nothing if it is on hold.
    public func holdCall(_ id: Call.ID) throws(Refusal) {
        let call = try find(id)
        guard call.state != .held else { return }
        guard call.state.isConversation, canHold(call) else { throw .impossible }
        changing {
            stopTakingNumber()
            update(id) { $0.group = nil }
            apply(.hold, id)
        }
    }

    /// Resumes a call, and holds those that are heard; does nothing if it is heard.
    public func resumeCall(_ id: Call.ID) throws(Refusal) {
        let call = try find(id)
        guard call.state.isConversation else { throw .impossible }
        guard call.state == .held else { return }
        guard canHoldHeard(for: call.line) else { throw .inUse }
        changing {
            stopTakingNumber()
            dropRefused()
            holdHeard(for: call.line)
            // A line may refuse to hold its call.
            if activeCall == nil { resumeAlone(id) }
        }
        guard calls.first(where: { $0.id == id })?.state != .held else { throw .inUse }
    }

    /// Mutes or unmutes the microphone in a call, and in those joined with it.
    public func setMuted(_ isMuted: Bool, _ id: Call.ID) throws(Refusal) {
        let call = try find(id)
        guard call.canMute, call.state.isLive else { throw .impossible }
        changing {
            for each in calls where each.id == id || each.state == .joined && call.state == .joined {
                update(each.id) { $0.isMuted = isMuted }
                lineCalls[each.id]?.setMuted(isMuted)
            }
        }
    }

    /// Sends keys to the far end of a call that is heard, one after the other, behind those that wait already.
    public func sendKeys(_ keys: [DTMFKey], to id: Call.ID) throws(Refusal) {
        let call = try find(id)
        // Early media takes keys that the user presses, but what is sent by time waits for the answer.
        guard call.receivesKeys, call.state.isConversation, !call.refusesKeys,
            !call.postDialDigits.needsConfirmation
        else { throw .impossible }
        guard call.postDialDigits.text.utf8.count + keys.count <= Self.maximumWaitingKeys else { throw .full }
        changing { update(id) { $0.postDialDigits.append(keys, at: clock.now) } }
    }

    /// Transfers a call to a party that is not called first, and holds it until the line has confirmed that.
    public func transferCall(_ id: Call.ID, to remote: RemoteParty) throws(Refusal) {
        let call = try find(id)
        guard call.canTransfer, lines?.line(call.line)?.canCall(remote) != false else { throw .impossible }
        changing {
            stopTakingNumber()
            if call.state != .held, call.canHold { apply(.hold, id) }
            begin(transferOf: id, to: target(remote, of: call))
        }
    }

    private func find(_ id: Call.ID) throws(Refusal) -> Call {
        guard let call = calls.first(where: { $0.id == id }) else { throw .ended }
        return call
    }
}
