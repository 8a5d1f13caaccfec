// SPDX-License-Identifier: GPL-3.0-or-later

/// A call that has not ended, as the window shows it.
public struct Call: Hashable, Sendable, Identifiable {
    public enum Direction: Hashable, Sendable {
        case outgoing
        case incoming
        /// The user takes over a call that rings at another extension. If that succeeds, it is one from its caller.
        case pickedUp
    }

    public enum Transfer: Hashable, Sendable {
        /// The far end is calling the other party.
        case pending
        /// The other party was not reached, or the far end refused.
        case failed
    }

    /// The reason for which a call can ring although the phone is quiet.
    enum Urgency: Hashable, Sendable {
        case none
        /// The caller is a favourite, or calls again.
        case exception
        /// The emergency services call, or are called.
        case emergency
    }

    /// The identifier of the call; a call manager never uses one twice.
    public let id: Int
    public let direction: Direction
    /// The far end: the number as it was dialled, or the caller as the line names it.
    public internal(set) var remote: RemoteParty
    /// The id of the call's line.
    public let line: String
    public let features: CallFeatures
    /// The time at which the call began, by the call manager's clock.
    let began: Duration
    public internal(set) var machine = CallStateMachine()
    /// The keys that were sent to the far end, in order; the last `maximumDigits` of them.
    public internal(set) var digits = ""
    public internal(set) var isMuted = false
    public internal(set) var lacksMicrophone = false
    /// Whether the far end has sent no sound for a while.
    public internal(set) var isSilent = false
    /// Whether keys do not reach the far end.
    public private(set) var refusesKeys = false
    public internal(set) var isHeldByFarEnd = false
    /// The quality of the call when it was last measured; nil before.
    public internal(set) var quality: CallQuality?
    public internal(set) var text = CallText()
    /// The state of the transfer of the call to another party or call; nil if there is none.
    public internal(set) var transfer: Transfer?
    /// The call to which it is being transferred, or was tried to be; nil for a party that was not called first.
    var transferPeer: ID?
    /// Its place in the order of holds, when it was last put on hold.
    var hold = 0
    /// The joined calls with which it was put on hold; nil if it was held alone.
    var group: Int?
    /// The device that plays the call, and the others beside it; nil is the device for tones.
    public internal(set) var speaker: String?
    /// The digits behind the number, which are sent after the answer.
    public internal(set) var postDialDigits: PostDialDigits
    /// The reason for which the call can ring although the phone is quiet.
    var urgency = Urgency.none
    /// Whether both sides are recorded, with REC.
    public internal(set) var isRecorded = false
    /// Whether the machine's greeting is over, and the caller's message is being recorded.
    public internal(set) var isMessageBegun = false
    /// Whether the caller of the machine is heard on the ringing device.
    var isAloud = false
    /// Whether a recording runs, or its end was not reported.
    var hasRecording = false
    /// Whether the call does not ring: it waits for the machine, or is declined.
    var skipsRinging = false
    /// Whether the machine could not take the call.
    var isRefusedByMachine = false
    /// Whether the user knows the caller; nil if that was not found out.
    var isKnown: Bool?
    /// Whether the line has refused to hold the call, although its features include it.
    var refusedHold = false

    /// The greatest number of sent keys that are stored.
    public static let maximumDigits = 40

    /// The state of the call between its beginning and its end.
    public var state: CallState { machine.state }

    /// Whether the call can be held.
    public var canHold: Bool { features.contains(.hold) && !refusedHold }

    public var canJoin: Bool { features.contains(.join) && state.isConversation }

    public var canTransfer: Bool {
        features.contains(.transfer) && transfer != .pending && state.isConversation
    }

    /// Whether the machine has the call, or is to have it without a ring.
    var isForMachine: Bool { state == .machine || (state == .idle && skipsRinging) }

    /// Whether the far end receives keys: none that holds the call does.
    var receivesKeys: Bool { state.takesKeys && !isHeldByFarEnd }

    init(
        id: Int, direction: Direction, remote: RemoteParty, line: String, features: CallFeatures,
        began: Duration, sendsPostDialDigits: Bool
    ) {
        (self.id, self.direction, self.remote, self.line) = (id, direction, remote, line)
        (self.features, self.began) = (features, began)
        postDialDigits = sendsPostDialDigits ? PostDialDigits(of: remote.number) : PostDialDigits()
    }

    /// Notes whether keys reach the far end; if not, those that were sent until now did not, either.
    mutating func setRefusesKeys(_ refusesKeys: Bool) {
        self.refusesKeys = refusesKeys
        if refusesKeys { digits = "" }
    }

    /// Records a key that was sent, unless it does not reach the far end.
    mutating func recordSent(_ key: DTMFKey) {
        guard !refusesKeys else { return }
        digits.append(key.character)
        if digits.utf8.count > Self.maximumDigits { digits.removeFirst() }
    }
}

/// A call that has ended, for the call history.
public struct CallRecord: Hashable, Sendable {
    public let direction: Call.Direction
    public let remote: RemoteParty
    public let line: String
    public let endReason: CallEndReason
    /// The time for which both ends were connected; nil if the call was not answered.
    public let duration: Duration?
    /// The time from the beginning of the call to its end.
    public let age: Duration
    /// The call that has ended; nil for a missed call that has never been one of the calls.
    let call: Call?

    /// Whether the call was incoming, and neither answered, here or on another phone, nor declined.
    public var isMissed: Bool { direction == .incoming && duration == nil && endReason.isMissing }

    /// Creates the record of an incoming call that has never been one of the calls.
    @MainActor
    init(unanswered remote: RemoteParty, age: Duration, for reason: CallEndReason, on line: any Line) {
        (direction, self.remote, self.line) = (.incoming, remote, line.id)
        (endReason, duration, self.age, call) = (reason, nil, max(.zero, age), nil)
    }

    init(_ call: Call, at time: Duration) {
        direction = call.direction
        remote = call.remote
        line = call.line
        endReason = call.machine.endReason ?? .failed("")
        duration = call.machine.duration(at: time)
        age = max(.zero, time - call.began)
        self.call = call
    }
}
