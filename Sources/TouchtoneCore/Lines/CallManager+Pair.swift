// SPDX-License-Identifier: GPL-3.0-or-later

// Operations on two calls: holding, switching, joining and transferring.

extension CallManager {
    /// Performs the hook flash of a telephone.
    ///
    /// An incoming call is answered. Of two calls, the held one becomes active. Two joined calls are separated. A
    /// single call is held, and dial tone asks for another number; a second flash resumes that call.
    public func flash() {
        if incoming != nil, heard != nil { return answer() }
        changing {
            areHeldTogether = false
            let waiting = calls.first { $0.state == .held }
            guard let heard else {
                stopTakingNumber()
                dropRefused()
                if let waiting { apply(.resume, waiting.id) }
                return
            }
            guard heard.state.isConversation, heard.canHold else { return }
            if heard.state == .joined { return partJoined() }
            apply(.hold, heard.id)
            if let waiting { apply(.resume, waiting.id) } else { takeNumber() }
        }
    }

    /// Opens the line for a second number, if the only call is on hold.
    private func takeNumber() {
        guard heard == nil, incoming == nil, let current, current.state == .held, other == nil else { return }
        update(current.id) { if $0.partyTransfer == .failed { $0.partyTransfer = nil } }
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
        guard let current, isHeld ? current.canHold : true else { return }
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
        guard let heard else { return calls.contains { $0.state == .held } }
        return heard.state.isConversation && heard.canHold || incoming != nil
    }

    /// Whether the two calls can be joined.
    public var canJoin: Bool {
        guard let current, let other else { return false }
        return current.state == .connected && other.state == .held && current.canJoin && other.canJoin
    }

    /// Joins both calls, so that all parties hear each other.
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

    /// Whether the two calls can be transferred to each other; the current one may not be answered yet.
    public var canTransfer: Bool {
        guard let current, let other, current.line == other.line, other.canTransfer else { return false }
        return current.canTransfer || isCalling(current) && current.features.contains(.transfer)
    }

    /// Connects the far ends of the two calls; both calls end when the line confirms the transfer.
    ///
    /// If the current call is not answered yet, it is given up, and the other one is transferred to its number.
    public func transfer() {
        guard canTransfer, let current, let other, let second = lineCalls[other.id] else { return }
        guard isCalling(current) else {
            return changing {
                for call in [current, other] { update(call.id) { $0.partyTransfer = .pending } }
                lineCalls[current.id]?.transfer(to: second)
            }
        }
        guard let target = lineCalls[current.id]?.remote else { return }
        changing {
            // The other party must be free for the transferred call.
            apply(.hangUp, current.id)
            transfer(other.id, to: target)
        }
    }

    /// Whether the call on hold can be transferred to a party, while a second number is entered.
    public var canTransferToParty: Bool { isTakingNumber && current?.canTransfer == true }

    /// Holds the only call, and opens the line for the number to which it is to be transferred.
    public func prepareTransfer() {
        guard !isTakingNumber, incoming == nil, other == nil, let current, current.canTransfer else { return }
        changing {
            if current.state != .held, current.canHold { apply(.hold, current.id) }
            takeNumber()
        }
    }

    /// Transfers the call on hold to a party that is not called first; it ends when the line confirms the transfer.
    public func transfer(to remote: RemoteParty) {
        guard canTransferToParty, let current else { return }
        changing {
            stopTakingNumber()
            transfer(current.id, to: lines?.line(current.line).map { asSent(remote, on: $0) } ?? remote)
        }
    }

    private func transfer(_ id: Call.ID, to remote: RemoteParty) {
        update(id) { $0.partyTransfer = .pending }
        lineCalls[id]?.transfer(to: remote)
    }

    private func isCalling(_ call: Call) -> Bool {
        call.direction == .outgoing && call.state.isLive && !call.state.isConversation
    }

    /// Holds the more recent of two joined calls, and continues the other alone.
    private func partJoined() {
        if let last = calls.last(where: { $0.state == .joined }) { apply(.hold, last.id) }
    }
}
