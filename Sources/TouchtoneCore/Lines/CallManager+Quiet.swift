// SPDX-License-Identifier: GPL-3.0-or-later

// Do Not Disturb, and the calls that ring nevertheless.

/// The extent of Do Not Disturb.
public enum Quietness: Hashable, Sendable {
    case off
    /// No call rings but those of favourites, of who calls again, and of emergency services.
    case exceptions
    /// No call rings but those of emergency services.
    case on
}

/// The callers whose calls were missed a short time ago.
struct MissedCallers {
    /// The time within which a caller calls again.
    static let limit = Duration.seconds(180)
    /// The number of callers that are kept.
    static let capacity = 50

    private var missed: [(caller: BlockedCaller, time: Duration)] = []

    /// Notes a caller, except one who hides and could be anybody.
    mutating func note(_ remote: RemoteParty, at time: Duration) {
        guard let caller = BlockedCaller(remote) else { return }
        missed.removeAll { $0.caller == caller || time - $0.time > Self.limit }
        missed.append((caller, time))
        if missed.count > Self.capacity { missed.removeFirst() }
    }

    func contains(_ remote: RemoteParty, at time: Duration) -> Bool {
        guard let caller = BlockedCaller(remote) else { return false }
        return missed.contains { $0.caller == caller && time - $0.time <= Self.limit }
    }
}

extension CallManager {
    /// Whether calls make no sound; a change takes effect at once.
    public var quietness: Quietness {
        get { sounds.quietness }
        set { changing { sounds.quietness = newValue } }
    }

    /// Whether a call rings and is announced although the phone may be quiet.
    public func isHeard(_ call: Call) -> Bool { sounds.quietness.lets(call.urgency) }

    /// Whether the emergency services may call back, from whatever number: during a call to them, and for a time after it.
    var expectsCallBack: Bool {
        isCallingHelp || helpEnd.map { clock.now - $0 < QuietHours.suspension } ?? false
    }

    /// Whether an emergency number is being called, or was reached.
    var isCallingHelp: Bool {
        calls.contains { $0.direction == .outgoing && $0.urgency == .emergency }
    }

    func urgency(of caller: RemoteParty) -> Call.Urgency {
        if emergency.contains(caller.number) { return .emergency }
        let isException = isFavourite(caller) || missedCallers.contains(caller, at: clock.now)
        return isException ? .exception : .none
    }
}

extension Quietness {
    func lets(_ urgency: Call.Urgency) -> Bool {
        switch self {
        case .off: true
        case .exceptions: urgency != .none
        case .on: urgency == .emergency
        }
    }
}
