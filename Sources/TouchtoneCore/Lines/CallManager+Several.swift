// SPDX-License-Identifier: GPL-3.0-or-later

// Several calls: one of them is heard, or some that are joined; the others wait on hold.

extension CallManager {
    /// The user's current call: one that is heard or being set up, else one that was not reached, else the one that was
    /// put on hold last; never an incoming call.
    public var current: Call? { activeCall ?? calls.first { $0.state == .refused } ?? held.first }

    public var incoming: Call? { calls.first { $0.state == .incoming } }

    /// The incoming call that makes a sound: another one may ring in silence before it.
    var incomingHeard: Call? { calls.first { $0.state == .incoming && isHeard($0) } }

    /// The call besides the current one, to which `flash()` switches: the one that was put on hold last, else one that is
    /// joined with it.
    public var other: Call? {
        guard let current else { return nil }
        return held.first { $0.id != current.id }
            ?? calls.first { $0.id != current.id && $0.state.isConversation }
    }

    /// The calls on hold; the one that was put on hold last is the first.
    public var held: [Call] { calls.filter { $0.state == .held }.sorted { $0.hold > $1.hold } }

    /// The active call: the one that is heard, or will be heard when it is answered.
    var activeCall: Call? { heard.first }

    /// The calls that are heard: one, or those that are joined.
    var heard: [Call] { calls.filter { $0.state.isLive && $0.state != .held } }

    /// Returns whether nothing keeps another call on a line from being heard: no call, or only such as can be held for it.
    func canHoldHeard(for line: String? = nil) -> Bool {
        heard.allSatisfy { $0.state.isConversation && canHold($0, for: line) }
    }

    /// Whether calls are joined.
    var isJoined: Bool { calls.contains { $0.state == .joined } }

    /// Whether another caller can be heard, besides the calls that there are.
    var hasRoom: Bool { occupied < Self.capacity }

    /// Returns whether a call on hold can be resumed in place of what is heard.
    public func canResume(_ call: Call) -> Bool { call.state == .held && canHoldHeard(for: call.line) }

    /// Holds the calls that are heard and can be held, for one on a line; joined ones can be resumed together.
    func holdHeard(for line: String? = nil) {
        let heard = heard.filter { $0.state.isConversation && canHold($0, for: line) }
        if heard.count > 1 { groups += 1 }
        let group = heard.count > 1 ? groups : nil
        for call in heard { update(call.id) { $0.group = group } }
        // The first one is held last, and so resumed first.
        for call in heard.reversed() { apply(.hold, call.id) }
    }

    /// Resumes a call on hold, and joins it again with those that were held together with it.
    func resumeTogether(_ id: Call.ID) {
        let group = calls.first { $0.id == id }?.group
        resumeAlone(id)
        guard let group else { return }
        for call in calls where call.group == group {
            update(call.id) { $0.group = nil }
            join(call.id)
        }
    }

    /// Resumes a call on hold, without those that were held together with it.
    func resumeAlone(_ id: Call.ID) {
        update(id) { $0.group = nil }
        apply(.resume, id)
    }

    /// Whether another number can be called besides the calls that there are.
    public var canAddCall: Bool {
        current?.state.isConversation == true && canHoldHeard() && incoming == nil && !isTakingNumber
            && hasRoom
    }

    /// Holds the calls that are heard, and opens the line for another number.
    public func addCall() {
        guard canAddCall else { return }
        changing {
            holdHeard()
            takeNumber()
        }
    }

    /// Whether a call on hold can be joined with those that are heard.
    public func canJoin(_ id: Call.ID) -> Bool {
        guard activeCall != nil, let call = calls.first(where: { $0.id == id }) else { return false }
        return call.state == .held && heard.allSatisfy { $0.canJoin(call) }
    }

    /// Joins a call on hold with those that are heard, so that everyone hears each other.
    public func join(_ id: Call.ID) {
        guard canJoin(id), let activeCall else { return }
        changing {
            update(id) { $0.group = nil }
            apply(.join, activeCall.id)
            apply(.join, id)
            // There is one microphone for all.
            guard calls.contains(where: { $0.id == id && $0.isMuted != activeCall.isMuted }) else { return }
            update(id) { $0.isMuted = activeCall.isMuted }
            lineCalls[id]?.setMuted(activeCall.isMuted)
        }
    }
}
