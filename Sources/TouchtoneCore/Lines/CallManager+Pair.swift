// SPDX-License-Identifier: GPL-3.0-or-later

// What can be done with one call and a second: putting aside, taking in turns, joining, connecting to one another.

extension CallManager {
    /// What the FLASH key of a telephone does, which opens the line for a moment.
    ///
    /// Somebody who waits is answered; of two calls the other one is taken; two that are joined are taken apart; one
    /// alone is put aside, and dial tone asks for another number. Once more, and it goes on.
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
            if let waiting {
                apply(.resume, waiting.id)
            } else if calls.first(where: { $0.id == heard.id })?.state == .held {
                isTakingNumber = true
                dialToneEnd = clock.now + Self.dialToneLimit
            }
        }
    }

    /// Puts the call that the user is at aside, and the one that it is joined with; or goes on with it, and with both.
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

    /// Whether FLASH can do anything.
    public var canFlash: Bool {
        guard let heard else { return calls.contains { $0.state == .held } }
        return heard.state.isConversation && heard.canHold || incoming != nil
    }

    /// Whether the two calls can be joined.
    public var canJoin: Bool {
        guard let current, let other else { return false }
        return current.state == .connected && other.state == .held && current.canJoin && other.canJoin
    }

    /// Has everybody in both calls hear one another.
    public func join() {
        guard canJoin, let current, let other else { return }
        changing {
            apply(.join, current.id)
            apply(.join, other.id)
        }
    }

    /// Whether the two calls can be connected to one another.
    public var canTransfer: Bool {
        guard let current, let other else { return false }
        return current.line == other.line && current.canTransfer && other.canTransfer
    }

    /// Connects the far ends of the two calls to one another, and leaves; the line's word ends both calls.
    public func transfer() {
        guard canTransfer, let current, let other, let second = lineCalls[other.id] else { return }
        changing { lineCalls[current.id]?.transfer(to: second) }
    }

    /// The call that came last waits; the other one goes on alone.
    private func partJoined() {
        if let last = calls.last(where: { $0.state == .joined }) { apply(.hold, last.id) }
    }
}
