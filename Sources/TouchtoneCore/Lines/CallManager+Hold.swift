// SPDX-License-Identifier: GPL-3.0-or-later

// Holding a call, switching between calls, and joining them.

extension CallManager {
    /// Performs the hook flash of a telephone.
    ///
    /// An incoming call is answered. If calls are on hold, the one that was held last becomes active in place of what is
    /// heard. Joined calls are separated if there is no other. A single call is held, and dial tone asks for another
    /// number; a second flash resumes that call.
    public func flash() {
        if incoming != nil, activeCall != nil { return answer() }
        changing {
            let waiting = held.first
            guard let activeCall else {
                let isReturning = isTakingNumber
                stopTakingNumber()
                dropRefused()
                guard let waiting else { return }
                return isReturning ? resumeTogether(waiting.id) : resumeAlone(waiting.id)
            }
            if waiting == nil, activeCall.state == .joined { return partJoined() }
            guard canHoldHeard(for: waiting?.line) else { return }
            holdHeard(for: waiting?.line)
            // A line may refuse to hold its call.
            guard self.activeCall == nil else { return }
            if let waiting { resumeTogether(waiting.id) } else { takeNumber() }
        }
    }

    /// Opens the line for another number, if all calls are on hold.
    func takeNumber() {
        guard activeCall == nil, incoming == nil, let current, current.state == .held,
            hasRoom
        else { return }
        update(current.id) { if $0.transfer == .failed { $0.transfer = nil } }
        isTakingNumber = true
        dialToneEnd = clock.now + Self.dialToneLimit
    }

    /// Ends dial tone, because the first key of a number was pressed.
    public func recordNumberBegun() {
        guard dialToneEnd != nil else { return }
        changing { dialToneEnd = nil }
    }

    /// Holds or resumes the current call, together with the calls that it is joined with.
    public func setHeld(_ isHeld: Bool) {
        guard let current, isHeld ? canHold(current) : true else { return }
        changing {
            stopTakingNumber()
            if isHeld {
                holdHeard()
            } else if current.state == .held {
                resumeTogether(current.id)
            }
        }
    }

    /// Whether `flash()` has an effect.
    public var canFlash: Bool {
        guard activeCall != nil else { return !held.isEmpty }
        let canPart = held.isEmpty && isJoined
        return canPart || canHoldHeard(for: held.first?.line) || incoming != nil
    }

    public var canJoin: Bool { other.map { canJoin($0.id) } ?? false }

    /// Joins the other call with those that are heard.
    public func join() {
        if let other { join(other.id) }
    }

    /// Holds the most recent of the joined calls, and goes on with the others.
    private func partJoined() {
        if let last = calls.last(where: { $0.state == .joined }) { apply(.hold, last.id) }
    }
}
