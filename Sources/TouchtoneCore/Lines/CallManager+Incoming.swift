// SPDX-License-Identifier: GPL-3.0-or-later

// Calls that a line offers, and those that end before they ring.
extension CallManager {
    func offer(_ call: any LineCall, on line: any Line) {
        let caller = call.remote
        if isBlocked(caller) {
            call.hangUp()
            return record(caller, on: line)
        }
        let hasRoom = hasRoom
        if divert(offered: call, isBusy: !hasRoom, on: line) { return }
        let isServed = machineServes(caller, call.features)
        let treatment = treatment(of: caller, isKnown: nil, hasMachine: isServed)
        let rings = hasRoom && treatment == .ring
        guard rings || (treatment != .decline && isServed) else {
            return call.declineAsBusy { [weak self] in self?.record(caller, on: line) }
        }
        // The tone of a number that was not reached ends if there is no room for both calls.
        if rings, calls.count(where: { !$0.isForMachine }) >= Self.capacity { dropRefused() }
        let id = add(call, .incoming, caller.bounded, on: line)
        update(id) { $0.urgency = urgency(of: caller) }
        // The machine takes it at once, or it rings when it is found out that the user knows the caller, or it is declined.
        if rings { apply(.offered, id) } else { update(id) { $0.skipsRinging = true } }
    }

    private func isBlocked(_ caller: RemoteParty) -> Bool {
        !emergency.contains(caller.number) && blockList.blocks(caller)
    }

    /// Records a call that did not ring: it was blocked, or missed for a reason.
    func record(
        _ caller: RemoteParty, age: Duration = .zero, for reason: CallEndReason = .busy, on line: any Line
    ) {
        let reason = isBlocked(caller) ? .blocked : reason
        report(CallRecord(unanswered: caller.bounded, age: age, for: reason, on: line))
    }

    /// Reports the end of a call, and remembers who may call again.
    func report(_ record: CallRecord) {
        if record.direction == .outgoing, record.call?.urgency == .emergency { helpEnd = clock.now }
        if record.isMissed, record.call != nil { missedCallers.note(record.remote, at: clock.now) }
        observers.notify(.ended(record))
    }
}
