// SPDX-License-Identifier: GPL-3.0-or-later

public enum CallEndReason: Hashable, Sendable {
    case hungUp
    case farEnd
    /// The call was connected to another call, and continues without this phone.
    case transferred
    /// Another phone of the user answered the call.
    case answeredElsewhere
    case busy
    /// The called party, or the user, declined the call.
    case declined
    /// The caller is on the block list, so that the call did not ring.
    case blocked
    /// The call went on to another number or address, without an answer here.
    case diverted
    /// The call was not answered, on either end.
    case noAnswer
    case noSuchNumber
    /// The called party cannot be reached at present: its phone is off, for example.
    case notAvailable
    /// The network could not route the call, or lost it.
    case network
    /// The sound came, and comes no more.
    case connectionLost
    /// The call failed for another reason, in the line's words; the text is empty if the line gives none.
    case failed(String)
    /// The number was sent to another app; the name is the one that the desktop shows.
    case handedOver(to: String)
    /// No app except this one handles `tel:` links.
    case noTelHandler
    /// The app that handles `tel:` links did not start; the reason is the system's text.
    case handlerFailed(name: String, reason: String)
}

extension CallEndReason {
    /// The phones could not agree on keys, or the far end was not the one that it had named.
    public static var notEncrypted: CallEndReason { .failed(localized("the sound could not be encrypted")) }

    public static var noCommonFormat: CallEndReason {
        .failed(localized("the phones have no audio format, or no encryption, in common"))
    }

    /// The tone that the network plays for a number that was not reached; nil is silence.
    public var sound: NetworkSound? {
        switch self {
        case .busy, .declined: .busy
        case .notAvailable, .network, .connectionLost, .failed: .reorder
        case .noSuchNumber: .specialInformation
        case .hungUp, .farEnd, .transferred, .answeredElsewhere, .blocked, .diverted, .noAnswer,
            .handedOver, .noTelHandler, .handlerFailed:
            nil
        }
    }

    /// Whether an incoming call that ended for this reason, without an answer here, was missed.
    var isMissing: Bool { ![.declined, .answeredElsewhere, .blocked, .diverted].contains(self) }

    /// A sentence for the user, without its full stop, that says what happened.
    public var sentence: String {
        switch self {
        case .hungUp: localized("You hung up")
        case .farEnd: localized("The other party hung up")
        case .transferred: localized("The call was transferred")
        case .answeredElsewhere: localized("The call was answered on another phone")
        case .busy: localized("The line was busy")
        case .declined: localized("The call was declined")
        case .blocked: localized("The caller is blocked")
        case .diverted: localized("The call was diverted")
        case .noAnswer: localized("No answer")
        case .noSuchNumber: localized("No such number")
        case .notAvailable: localized("The other party was not available")
        case .network: localized("The network could not connect the call")
        case .connectionLost: localized("The connection was lost")
        case .failed(let reason):
            reason.isEmpty
                ? localized("The call failed") : localized("The call failed: {reason}", ["reason": reason])
        case .handedOver(let name):
            name.isEmpty
                ? localized("The number was sent to another app")
                : localized("The number was sent to {app}", ["app": name])
        case .noTelHandler: localized("No other app handles tel: links")
        case .handlerFailed(let name, let reason):
            localized("{app} could not be started: {reason}", ["app": name, "reason": reason])
        }
    }
}
