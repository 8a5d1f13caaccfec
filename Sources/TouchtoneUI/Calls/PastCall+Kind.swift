// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

extension PastCall {
    /// The kind of a call: its direction, and whether it was answered.
    enum Kind: Hashable {
        case outgoing, incoming, pickedUp, missed, declined, blocked, diverted
    }

    var kind: Kind {
        switch direction {
        // Nobody has called this phone, if somebody else was quicker.
        case .pickedUp: return seconds == nil ? .outgoing : .pickedUp
        case .outgoing: return .outgoing
        case .incoming: break
        }
        if isMissed { return .missed }
        if endReason == .blocked { return .blocked }
        if endReason == .diverted { return .diverted }
        return seconds == nil ? .declined : .incoming
    }

    /// The duration, or a short text for why the call was not answered; empty if `kind` is enough.
    var outcome: String {
        if let seconds { return DurationText.text(seconds: seconds) }
        guard direction != .incoming else { return "" }
        return switch endReason {
        case .hungUp: localizedIn("outcome of a call", "cancelled")
        case .busy: localizedIn("outcome of a call", "busy")
        case .declined: localizedIn("outcome of a call", "declined")
        case .noSuchNumber: localizedIn("outcome of a call", "no such number")
        case .notAvailable: localizedIn("outcome of a call", "not available")
        case .network: localizedIn("outcome of a call", "no connection")
        case .failed, .noTelHandler, .handlerFailed: localizedIn("outcome of a call", "failed")
        case .handedOver: localizedIn("outcome of a call", "sent to app")
        // A call that was connected has a duration, so the other reasons do not occur here.
        default: localizedIn("outcome of a call", "no answer")
        }
    }
}
