// SPDX-License-Identifier: GPL-3.0-or-later

/// A call as its line has it: what it is told to do, and what it tells.
///
/// It keeps no state that anybody reads: that is `CallStateMachine`'s, which all of a call's events go through.
@MainActor
public protocol LineCall: AnyObject {
    /// The far end.
    var remote: RemoteParty { get }

    /// What can be done with the call; the same for as long as it lasts.
    var features: CallFeatures { get }

    /// Told what happens to the call, on the main actor, at any time; after `.ended` nothing more comes.
    var onEvent: ((CallEvent) -> Void)? { get set }

    /// Takes an incoming call.
    func answer()

    /// Ends the call, declines it, or takes it back, whatever it is at; no event has to follow.
    func hangUp()

    /// Declines an incoming call because the phone is busy (SIP: 486); no event has to follow.
    func declineAsBusy()

    /// Stops what is sent and heard; `.holdRefused` follows where the far end does not have it.
    func hold()

    /// Goes on with a held call; `.resumeRefused` follows where that cannot be.
    func resume()

    /// Goes on with a held call beside another that is heard: the far ends hear one another, and the user hears both.
    ///
    /// `.resumeRefused` follows where that cannot be. Holding one of them again takes them apart.
    func join(_ other: any LineCall)

    /// Has the far ends of two calls talk to one another without this phone: both end with `.transferred`.
    ///
    /// `.transferRefused` follows where that cannot be, and both calls stay what they are.
    func transfer(to other: any LineCall)

    /// Sends nothing of what the microphone hears, or all of it again.
    func setMuted(_ isMuted: Bool)

    /// Sends the key to the far end, which hears its tone or reads its event (RFC 4733).
    func send(_ key: DTMFKey)
}

extension LineCall {
    /// Declines the call without a reason.
    public func declineAsBusy() { hangUp() }

    /// Nothing: a call without the feature is never asked.
    public func join(_ other: any LineCall) {}

    /// Nothing: a call without the feature is never asked.
    public func transfer(to other: any LineCall) {}
}

/// What can be done with a call.
public struct CallFeatures: OptionSet, Hashable, Sendable {
    /// It is a call of this phone's, from its beginning to its end: it can be hung up, and keys go to the far end.
    ///
    /// Without it the number is handed to another program, which has the call.
    public static let conversation = CallFeatures(rawValue: 1)
    /// It can be held, and so be beside another call.
    public static let hold = CallFeatures(rawValue: 2)
    /// It can be heard at the same time as another that has this, each far end hearing the other.
    public static let join = CallFeatures(rawValue: 4)
    /// It can be connected to another of the same line that has this, and be left.
    public static let transfer = CallFeatures(rawValue: 8)

    /// The features as bits.
    public let rawValue: Int

    /// Creates a set of features from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What a line tells of a call.
public enum CallEvent: Hashable, Sendable {
    /// The far end rings.
    case ringing
    /// The far end, or the network, is heard before it has answered (SIP: 183 with a session, RFC 3960).
    case earlyMedia
    /// The far end has answered.
    case answered
    /// The call cannot be held, and goes on.
    case holdRefused
    /// The call cannot go on, and stays held.
    case resumeRefused
    /// The call cannot be handed to the other one, and stays.
    case transferRefused
    /// No microphone can be had: the far end hears silence.
    case noMicrophone
    /// The call is over, or never came to be.
    case ended(CallEndReason)
}
