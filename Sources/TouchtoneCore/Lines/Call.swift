// SPDX-License-Identifier: GPL-3.0-or-later

/// A call that is going on, as the window shows it.
public struct Call: Hashable, Sendable, Identifiable {
    /// Who began a call.
    public enum Direction: Hashable, Sendable {
        /// It was dialled here.
        case outgoing
        /// It came in.
        case incoming
    }

    /// Tells calls apart; never used twice by a keeper.
    public let id: Int
    /// Who began it.
    public let direction: Direction
    /// The far end: the number as it was dialled, or the caller as the line names it.
    public let remote: RemoteParty
    /// The id of its line.
    public let line: String
    /// What can be done with it.
    public let features: CallFeatures
    /// When it began, by the keeper's clock.
    let began: Duration
    /// Where it is.
    public internal(set) var machine = CallStateMachine()
    /// The keys that the far end got, in their order; the last `maximumDigits` of them.
    public internal(set) var digits = ""
    /// Whether the far end hears nothing of the microphone.
    public internal(set) var isMuted = false
    /// Whether a microphone is missing.
    public internal(set) var lacksMicrophone = false
    /// The name of the device that the call is heard on in place of the one for tones; nil is the device for tones.
    ///
    /// A call that begins beside another takes that one's.
    public internal(set) var speaker: String?
    /// What was dialled behind the number, and is sent once somebody has answered.
    public internal(set) var postDialDigits: PostDialDigits
    /// Whether it was found that this call cannot be connected to another, whatever was promised.
    var refusedTransfer = false
    /// Whether it was found that this call cannot be held, whatever was promised.
    var refusedHold = false

    /// How many of the keys sent are kept.
    public static let maximumDigits = 40

    /// Where it is between its beginning and its end.
    public var state: CallState { machine.state }

    /// Whether it can be put aside for another.
    public var canHold: Bool { features.contains(.hold) && !refusedHold }

    /// Whether it can be heard beside another.
    public var canJoin: Bool { features.contains(.join) && state.isConversation }

    /// Whether it can be connected to another.
    public var canTransfer: Bool {
        features.contains(.transfer) && !refusedTransfer && state.isConversation
    }

    init(
        id: Int, direction: Direction, remote: RemoteParty, line: String, features: CallFeatures,
        began: Duration, sendsPostDialDigits: Bool
    ) {
        (self.id, self.direction, self.remote, self.line) = (id, direction, remote, line)
        (self.features, self.began) = (features, began)
        postDialDigits = sendsPostDialDigits ? PostDialDigits(of: remote.number) : PostDialDigits()
    }

    /// Takes note of a key that was sent.
    mutating func recordSent(_ key: DTMFKey) {
        digits.append(key.character)
        if digits.utf8.count > Self.maximumDigits { digits.removeFirst() }
    }
}

/// A call that is over, for the history.
public struct CallRecord: Hashable, Sendable {
    /// Who began it.
    public let direction: Call.Direction
    /// The far end.
    public let remote: RemoteParty
    /// The id of its line.
    public let line: String
    /// Why it ended.
    public let endReason: CallEndReason
    /// How long both ends heard one another; nil if they never did.
    public let duration: Duration?
    /// How long before its end it began.
    public let age: Duration

    /// Whether somebody called and was neither answered nor declined.
    public var isMissed: Bool { direction == .incoming && duration == nil && endReason != .declined }

    /// Creates the record of an incoming call that found no room: it was missed.
    @MainActor
    init(declinedAsBusy remote: RemoteParty, on line: any Line) {
        (direction, self.remote, self.line) = (.incoming, remote, line.id)
        (endReason, duration, age) = (.busy, nil, .zero)
    }

    init(_ call: Call, at time: Duration) {
        direction = call.direction
        remote = call.remote
        line = call.line
        endReason = call.machine.endReason ?? .failed("")
        duration = call.machine.duration(at: time)
        age = max(.zero, time - call.began)
    }
}
