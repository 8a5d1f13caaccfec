// SPDX-License-Identifier: GPL-3.0-or-later

// The calls that the answering machine takes.
extension CallManager {
    /// The call that the machine has, which the user can take over.
    public var onMachine: Call? { calls.first { $0.state == .machine } }

    /// The call that Dial would answer: one that rings, or one that the machine has.
    public var answerable: Call? { incoming ?? onMachine }

    /// The number of calls that need a place among `capacity`: not those that the machine has, or will have.
    var occupied: Int { calls.count { $0.state != .refused && !$0.isForMachine } }

    /// Returns what a caller meets, apart from those who are blocked; nil until it is found out whether the user knows them.
    ///
    /// - Parameter hasMachine: Whether the machine may take the call; without it, the call rings.
    func treatment(of caller: RemoteParty, isKnown: Bool?, hasMachine: Bool) -> CallerTreatment? {
        let treatment = treatment(of: caller, isKnown: isKnown)
        return treatment == .decline || hasMachine ? treatment : .ring
    }

    private func treatment(of caller: RemoteParty, isKnown: Bool?) -> CallerTreatment? {
        if let treatment = callers.treatmentAtOnce(of: caller) { return treatment }
        let known = callers.treatmentIfKnown(caller)
        // The line has asked, and has declined those whom the user does not know.
        guard callers.unknown == .machine, known != .decline else { return known }
        return isKnown.map { $0 ? known : .machine }
    }

    private func treatment(of call: Call) -> CallerTreatment? {
        let isServed = machineServes(call.remote, call.features)
        return treatment(of: call.remote, isKnown: call.isKnown, hasMachine: isServed)
    }

    /// Whether the machine may take a call of a caller, if not now.
    func machineServes(_ caller: RemoteParty, _ features: CallFeatures) -> Bool {
        machineRules.isOn && features.contains(.machine) && recorder != nil && !expectsCallBack
            && !emergency.contains(caller.number)
    }

    /// Finds out whether the user knows the caller, if that matters.
    func askWhetherKnown(_ id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }), call.isKnown == nil,
            machineRules.callers == .unknown || treatment(of: call) == nil,
            call.state == .incoming || call.isForMachine, !asking.contains(id)
        else { return }
        asking.insert(id)
        Task { [weak self] in
            guard let known = await self?.callers.knows(call.remote), let self else { return }
            asking.remove(id)
            changing { update(id) { $0.isKnown = known } }
        }
    }

    /// The time at which the machine takes a call; nil if it does not.
    func machineTime(of call: Call) -> Duration? {
        guard call.state == .incoming || call.state == .idle, !call.isRefusedByMachine, onMachine == nil,
            machineServes(call.remote, call.features)
        else { return nil }
        guard let treatment = treatment(of: call) else { return nil }
        // The user knows the caller, and there is room.
        if call.state == .idle, treatment == .ring, hasRoom { return nil }
        let isWanted = call.isForMachine && treatment == .machine
        if machineRules.callers == .unknown, !isWanted, call.isKnown != false { return nil }
        return call.isForMachine || !isHeard(call) ? call.began : call.began + max(.zero, machineRules.delay)
    }

    /// Gives the machine the call whose time has come, and declines those that only it could have taken.
    func useMachine() {
        for call in calls where call.state == .incoming || call.isForMachine {
            askWhetherKnown(call.id)
            if let time = machineTime(of: call), time <= clock.now { take(call.id) }
        }
        for call in calls where call.isForMachine && call.state == .idle && machineTime(of: call) == nil {
            if treatment(of: call) == .ring, hasRoom {
                update(call.id) { $0.skipsRinging = false }
                apply(.offered, call.id)
                continue
            }
            // Whether the caller is known may not be known yet.
            let waits = machineServes(call.remote, call.features) && asking.contains(call.id)
            if !waits || call.isRefusedByMachine { refuse(call.id) }
        }
        let isAloud = isMachineAloud
        for call in calls where call.state == .machine && call.isAloud != isAloud {
            update(call.id) { $0.isAloud = isAloud }
            lineCalls[call.id]?.setAloud(isAloud)
        }
    }

    private var isMachineAloud: Bool {
        machineRules.isAloud && !machineRules.isLocked && quietness == .off && !hasLiveCall
    }

    private func take(_ id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }), let lineCall = lineCalls[id] else { return }
        guard let answer = recorder?.beginMessage(of: call, at: clock.now, isAloud: isMachineAloud) else {
            return update(id) { $0.isRefusedByMachine = true }
        }
        update(id) {
            ($0.isAloud, $0.hasRecording) = (answer.isAloud, true)
        }
        apply(.machine, id)
        lineCall.answer(with: answer)
    }

    /// Declines a call that never rang, because the machine cannot take it.
    private func refuse(_ id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }), let lineCall = forget(id) else { return }
        let line = lines?.line(call.line)
        lineCall.declineAsBusy { [weak self] in
            if let line { self?.record(call.remote, on: line) }
        }
    }
}
