// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// What a row of the history shows.
struct CallCell: Hashable {
    /// The day, above the first of its calls.
    var heading: String?
    let kind: PastCall.Kind
    /// Who was at the far end: the name, or else the number, or else the address.
    let name: String
    /// What is to be known besides: the number where `name` is another, and the line.
    let details: [String]
    /// The hour and the minute.
    let time: String
    /// The date and the time to the second.
    let moment: String
    /// How long it lasted, or why it did not.
    let outcome: String
    /// Whether nobody has looked at it since it was missed.
    let isNew: Bool
    /// What assistive tools call the row.
    let accessibleName: String
}

extension PastCall {
    /// What a call was, at a glance.
    enum Kind: Hashable {
        case outgoing, incoming, missed, declined
    }

    /// What it was.
    var kind: Kind {
        if direction == .outgoing { return .outgoing }
        if isMissed { return .missed }
        return seconds == nil ? .declined : .incoming
    }

    /// How long it lasted, or in a word or two why it came to nothing; empty where `kind` says it.
    var outcome: String {
        if let seconds { return Self.duration(seconds) }
        guard direction == .outgoing else { return "" }
        return switch endReason {
        case .hungUp: localizedIn("outcome of a call", "cancelled")
        case .busy: localizedIn("outcome of a call", "busy")
        case .declined: localizedIn("outcome of a call", "declined")
        case .noSuchNumber: localizedIn("outcome of a call", "no such number")
        case .network: localizedIn("outcome of a call", "no connection")
        case .failed, .noTelHandler, .handlerFailed: localizedIn("outcome of a call", "failed")
        case .handedOver: localizedIn("outcome of a call", "sent to app")
        // What ends a call that was connected has its duration.
        default: localizedIn("outcome of a call", "no answer")
        }
    }

    private static func duration(_ seconds: Int) -> String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
