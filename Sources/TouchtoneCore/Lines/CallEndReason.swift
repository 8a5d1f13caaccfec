// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a call ended.
public enum CallEndReason: Hashable, Sendable {
    /// It was hung up here.
    case hungUp
    /// The far end hung up.
    case farEnd
    /// It was connected to another call, and goes on without this phone.
    case transferred
    /// The far end is in a call.
    case busy
    /// Who was called did not want it.
    case declined
    /// Nobody answered, there or here.
    case noAnswer
    /// Nobody has that number.
    case noSuchNumber
    /// The network has no way through, or was lost.
    case network
    /// Something else, in the line's words; empty where it has none.
    case failed(String)
    /// Another program has the number: what the desktop calls it.
    case handedOver(to: String)
    /// No program but this one handles `tel:` links.
    case noTelHandler
    /// The program that handles them did not start: its name, and the reason in the system's words.
    case handlerFailed(name: String, reason: String)
}

extension CallEndReason {
    /// What the network says of it, where a number was not reached; nil is silence.
    public var sound: NetworkSound? {
        switch self {
        case .busy, .declined: .busy
        case .network, .failed: .reorder
        case .noSuchNumber: .specialInformation
        case .hungUp, .farEnd, .transferred, .noAnswer, .handedOver, .noTelHandler, .handlerFailed: nil
        }
    }

    /// What happened, to people: a sentence without its full stop.
    public var sentence: String {
        switch self {
        case .hungUp: localized("The call was ended here")
        case .farEnd: localized("The other side has hung up")
        case .transferred: localized("Both calls were connected to one another")
        case .busy: localized("The number is busy")
        case .declined: localized("The call was declined")
        case .noAnswer: localized("Nobody answered")
        case .noSuchNumber: localized("There is no such number")
        case .network: localized("The network cannot connect the call")
        case .failed(let reason):
            reason.isEmpty
                ? localized("The call failed") : localized("The call failed: {reason}", ["reason": reason])
        case .handedOver(let name):
            name.isEmpty
                ? localized("Another program has the number")
                : localized("{program} has the number", ["program": name])
        case .noTelHandler: localized("No other program handles telephone links")
        case .handlerFailed(let name, let reason):
            localized("{program} did not start: {reason}", ["program": name, "reason": reason])
        }
    }
}
