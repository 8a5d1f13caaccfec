// SPDX-License-Identifier: GPL-3.0-or-later

// Holding a call, switching between two, and joining them.

extension CallManager {
    /// Performs the hook flash of a telephone.
    ///
    /// An incoming call is answered. Of two calls, the held one becomes active. Two joined calls are separated. A
    /// single call is held, and dial tone asks for another number; a second flash resumes that call.
    public func flash() {
        if incoming != nil, activeCall != nil { return answer() }
        changing {
            areHeldTogether = false
            let waiting = calls.first { $0.state == .held }
            guard let activeCall else {
                stopTakingNumber()
                dropRefused()
                if let waiting { apply(.resume, waiting.id) }
                return
            }
            guard activeCall.state.isConversation, canHold(activeCall, for: waiting?.line) else { return }
            if activeCall.state == .joined { return partJoined() }
            apply(.hold, activeCall.id)
            if let waiting { apply(.resume, waiting.id) } else { takeNumber() }
        }
    }

    /// Opens the line for a second number, if the only call is on hold.
    func takeNumber() {
        guard activeCall == nil, incoming == nil, let current, current.state == .held, other == nil else {
            return
        }
        update(current.id) { if $0.transfer == .failed { $0.transfer = nil } }
        isTakingNumber = true
        dialToneEnd = clock.now + Self.dialToneLimit
    }

    /// Ends dial tone, because the first key of a number was pressed.
    public func recordNumberBegun() {
        guard dialToneEnd != nil else { return }
        changing { dialToneEnd = nil }
    }

    /// Holds or resumes the current call, together with the call that it is joined with.
    public func setHeld(_ isHeld: Bool) {
        guard let current, isHeld ? canHold(current) : true else { return }
        changing {
            stopTakingNumber()
            if isHeld {
                let joined = calls.filter { $0.state == .joined }
                areHeldTogether = !joined.isEmpty
                for call in joined.isEmpty ? [current] : joined { apply(.hold, call.id) }
            } else {
                apply(.resume, current.id)
                if areHeldTogether { join() }
                areHeldTogether = false
            }
        }
    }

    /// Whether `flash()` has an effect.
    public var canFlash: Bool {
        guard let activeCall else { return calls.contains { $0.state == .held } }
        let waiting = calls.first { $0.state == .held }
        return activeCall.state.isConversation && canHold(activeCall, for: waiting?.line) || incoming != nil
    }

    public var canJoin: Bool {
        guard let current, let other else { return false }
        return current.state == .connected && other.state == .held && current.canJoin(other)
    }

    public func join() {
        guard canJoin, let current, let other else { return }
        changing {
            apply(.join, current.id)
            apply(.join, other.id)
            // There is one microphone for both.
            guard other.isMuted != current.isMuted else { return }
            update(other.id) { $0.isMuted = current.isMuted }
            lineCalls[other.id]?.setMuted(current.isMuted)
        }
    }

    /// Holds the more recent of two joined calls, and continues the other alone.
    private func partJoined() {
        if let last = calls.last(where: { $0.state == .joined }) { apply(.hold, last.id) }
    }
}
