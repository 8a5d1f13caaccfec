// SPDX-License-Identifier: GPL-3.0-or-later

// Calls that go on to another number or address, because the line or the user says so.

extension CallManager {
    /// Diverts a call that is offered, if its line diverts such calls; false if the call is to ring, or to be declined.
    func divert(offered call: any LineCall, isBusy: Bool, on line: any Line) -> Bool {
        guard let diversion = line.diversion, isBusy ? diversion.includesBusy : diversion.calls == .all,
            mayDivert(call, to: diversion.target), !isUrgent(call.remote)
        else { return false }
        call.divert(to: asSent(diversion.target, on: line))
        record(call.remote, for: .diverted, on: line)
        return true
    }

    /// Whether the user can send the incoming call to another number or address.
    public var canDivert: Bool { incoming.map { $0.features.contains(.diversion) } ?? false }

    /// Sends the incoming call to another number or address, as the user wants; false, and nothing has changed, if that is
    /// the caller, the line itself or an emergency service.
    public func divert(to target: RemoteParty) -> Bool {
        guard let incoming, let line = lines?.line(incoming.line), let call = lineCalls[incoming.id],
            line.canCall(target), mayDivert(call, to: target, byHand: true), !line.isOwn(target)
        else { return false }
        changing { divert(incoming.id, to: target, on: line) }
        return true
    }

    /// Diverts the calls that rang long enough.
    func divertDue(at now: Duration) {
        for call in calls {
            guard let due = diversionDue(of: call), due <= now, let line = lines?.line(call.line),
                let diversion = line.diversion
            else { continue }
            divert(call.id, to: diversion.target, on: line)
        }
    }

    /// Returns the time at which a call that rings is diverted; nil if it is not.
    func diversionDue(of call: Call) -> Duration? {
        guard call.state == .incoming, call.urgency != .emergency, !expectsCallBack,
            let diversion = lines?.line(call.line)?.diversion, diversion.includesUnanswered,
            let lineCall = lineCalls[call.id], mayDivert(lineCall, to: diversion.target)
        else { return nil }
        return call.began + diversion.delay
    }

    private func divert(_ id: Call.ID, to target: RemoteParty, on line: any Line) {
        lineCalls[id]?.divert(to: asSent(target, on: line))
        handle(.ended(.diverted), of: id)
    }

    private func isUrgent(_ caller: RemoteParty) -> Bool {
        expectsCallBack || emergency.contains(caller.number)
    }

    /// Returns whether a call can go to a place: not back to its caller, not to an emergency service, and not for ever.
    private func mayDivert(_ call: any LineCall, to target: RemoteParty, byHand: Bool = false) -> Bool {
        guard call.features.contains(.diversion), byHand || call.diversions < Diversion.maximumHops,
            !emergency.contains(target.number)
        else { return false }
        return !NumberKey.isSame(target.number, call.remote.number)
            && (target.address.isEmpty
                || CallAddress.sipKey(target.address) != CallAddress.sipKey(call.remote.address))
    }
}
