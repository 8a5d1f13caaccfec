// SPDX-License-Identifier: GPL-3.0-or-later

// Calls of another phone of the user, which decides what becomes of them.

extension CallManager {
    /// Shows a call that was begun on its phone; it is left to that phone if there is no room for it.
    func show(_ call: any LineCall, on line: any Line) {
        guard hasRoom else { return }
        changing {
            stopTakingNumber()
            dropRefused()
            apply(.dial, add(call, .outgoing, call.remote.bounded, on: line))
        }
    }

    /// Follows what the phone has done with its call: a call that is heard there is not heard beside others.
    func follow(_ action: PhoneAction, of id: Call.ID) {
        guard let call = calls.first(where: { $0.id == id }) else { return }
        if action != .held {
            stopTakingNumber()
            dropRefused()
            for other in calls where other.line != call.line && other.receivesHold(self) {
                apply(.hold, other.id)
            }
        }
        step(id) { call, time in call.machine.handle(.onPhone(action), at: time) }
        guard action == .joined else { return }
        // The phone tells of its calls one by one, and no call is joined alone.
        for other in calls where other.line == call.line && other.id != id && other.state == .connected {
            step(other.id) { call, time in call.machine.handle(.onPhone(action), at: time) }
        }
    }

    /// Returns whether a call can be held, for the sake of a call on a line: a phone holds one for another of its own.
    public func canHold(_ call: Call, for line: String? = nil) -> Bool {
        call.canHold && (!call.features.contains(.onPhone) || call.line == line)
    }

    /// Whether the current call can be held alone, or is on hold.
    public var canHoldCurrent: Bool {
        current.map { $0.state == .held || $0.state.isConversation && canHold($0) } ?? false
    }

    /// Leaves a call to the phone that has it, where it goes on after the program has ended; false if no other phone has it.
    func leaveToPhone(_ call: Call) -> Bool {
        guard call.features.contains(.onPhone) else { return false }
        step(call.id) { call, time in call.machine.handle(.ended(.transferred), at: time) }
        return true
    }
}

extension Call {
    /// Whether the microphone can be muted in the call, and its device chosen.
    public var canMute: Bool { features.contains(.conversation) && !features.contains(.onPhone) }

    /// Returns whether the call can be joined with another: a phone joins its own calls only.
    func canJoin(_ other: Call) -> Bool {
        canJoin && other.canJoin
            && (line == other.line || !features.union(other.features).contains(.onPhone))
    }

    /// Whether the call is heard, and can be held for one of another line.
    @MainActor
    fileprivate func receivesHold(_ calls: CallManager) -> Bool {
        (state == .connected || state == .joined) && calls.canHold(self)
    }
}
