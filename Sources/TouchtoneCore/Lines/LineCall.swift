// SPDX-License-Identifier: GPL-3.0-or-later

/// A call on its line, which takes commands and reports events; `CallStateMachine` has its state.
@MainActor
public protocol LineCall: AnyObject {
    var remote: RemoteParty { get }

    /// The operations that the call supports; they do not change during the call.
    var features: CallFeatures { get }

    /// The receiver of the call's events, on the main actor, at any time; no event follows `.ended`.
    var onEvent: ((CallEvent) -> Void)? { get set }

    func answer()

    /// Ends, declines or cancels the call, depending on its state; no event has to follow.
    func hangUp()

    /// Declines an incoming call because the phone is busy (SIP: 486); no event has to follow.
    ///
    /// - Parameter missed: Is called once the call is missed: now, or when no other device of the user has taken it.
    func declineAsBusy(missed: @escaping @MainActor () -> Void)

    /// Holds the call, so that nothing is sent or heard; `.holdRefused` follows if the far end refuses.
    func hold()

    /// Resumes a held call; `.resumeRefused` follows if that is not possible.
    func resume()

    /// Resumes a held call and joins it with another that is heard: the user and both far ends hear each other.
    ///
    /// `.resumeRefused` follows if that is not possible. Holding one of the calls separates them.
    func join(_ other: any LineCall)

    /// Connects the far ends of two calls without this phone; both end with `.transferred`, or stay as they
    /// are after `.transferRefused`.
    func transfer(to other: any LineCall)

    /// Connects the far end with another party without a second call (RFC 5589, section 6); the call ends
    /// with `.transferred`, or stays as it is after `.transferRefused`.
    ///
    /// - Parameter remote: Its number has the form of the line's rules.
    func transfer(to remote: RemoteParty)

    /// Measures the quality of the call; `.quality` follows.
    func measure()

    /// Measures the microphone from now on, or no longer; `.microphoneLevel` follows some ten times a second.
    func watchMicrophone(_ isWatched: Bool)

    func setMuted(_ isMuted: Bool)

    /// Sends the key to the far end, as its tone or as an event (RFC 4733).
    func send(_ key: DTMFKey)

    /// Starts to send a key that the user holds; it ends with `releaseKey()`, or with the next key.
    func press(_ key: DTMFKey)

    /// Ends the key that the user holds, if any.
    func releaseKey()

    /// Sends an incoming call to another number or address, which its caller then calls (SIP: 302); it is over here.
    ///
    /// - Parameter remote: Its number has the form of the line's rules.
    func divert(to remote: RemoteParty)

    /// How often an incoming call has been diverted before it came here.
    var diversions: Int { get }

    /// Whether the caller of an incoming call offers real-time text.
    var offersText: Bool { get }

    /// Asks the far end for real-time text; `CallTextEvent.runs` or `.refused` follows.
    func startText()

    /// Sends a part of real-time text, in which U+0008 erases the last character and U+2028 ends a line.
    func sendText(_ part: String)

    /// Answers for the user, without the microphone: the far end hears the greeting and a tone, and is recorded.
    ///
    /// `.machineRecords` follows after the tone, and `.recorded` at the end of the recording. After `#`, silence or
    /// the limit, which two short tones report, the call ends.
    func answer(with machine: MachineAnswer)

    /// Gives the call that the machine has answered to the user: greeting, tone and recording end.
    func takeOver()

    /// Lets the far end be heard on the ringing device while the machine has the call, or not.
    func setAloud(_ isAloud: Bool)

    /// Records both sides, the far end left and the near end right, until `stopRecording` or the call's end; not while
    /// it is held. A joined call records all parties. `.recorded` follows at the end.
    ///
    /// - Parameters:
    ///   - file: An empty file, for writing, as Ogg Opus.
    ///   - withTone: Whether both sides hear a tone every 15 seconds.
    func record(to file: OpenFile, withTone: Bool)

    func stopRecording()
}

extension LineCall {
    /// Declines the call without a reason.
    public func declineAsBusy(missed: @escaping @MainActor () -> Void) {
        hangUp()
        missed()
    }

    /// Sends the key with a fixed length.
    public func press(_ key: DTMFKey) { send(key) }

    /// Does nothing: the key has a fixed length.
    public func releaseKey() {}

    /// Does nothing: a call without the feature never receives this command.
    public func join(_ other: any LineCall) {}

    public func transfer(to other: any LineCall) {}

    public func transfer(to remote: RemoteParty) {}

    public func measure() {}

    public func watchMicrophone(_ isWatched: Bool) {}

    public func divert(to remote: RemoteParty) { hangUp() }

    public var diversions: Int { 0 }

    public var offersText: Bool { false }

    public func startText() {}

    public func sendText(_ part: String) {}

    public func answer(with machine: MachineAnswer) {}

    public func takeOver() {}

    public func setAloud(_ isAloud: Bool) {}

    public func record(to file: OpenFile, withTone: Bool) {}

    public func stopRecording() {}
}

public struct CallFeatures: OptionSet, Hashable, Sendable {
    /// The phone controls the call from its beginning to its end: it can be hung up, and keys go to the far end.
    ///
    /// Without this, the number is handed over to another app, which makes the call.
    public static let conversation = CallFeatures(rawValue: 1)
    /// The call can be held, and so exist beside another call.
    public static let hold = CallFeatures(rawValue: 2)
    /// The call can be joined with another that has this feature, so that both far ends hear each other.
    public static let join = CallFeatures(rawValue: 4)
    /// The call can be transferred to another party, or to another call on the same line that has this feature.
    public static let transfer = CallFeatures(rawValue: 8)
    public static let quality = CallFeatures(rawValue: 16)
    /// Either side can add real-time text to the call.
    public static let text = CallFeatures(rawValue: 32)
    /// The answering machine can take the call.
    public static let machine = CallFeatures(rawValue: 64)
    /// Both sides can be recorded.
    public static let recording = CallFeatures(rawValue: 128)
    /// An incoming call can be sent to another number or address.
    public static let diversion = CallFeatures(rawValue: 256)
    /// Another phone of the user has the call, with its sound, and this one controls it: the microphone is not muted
    /// here, and the call is held only for another one of that phone.
    public static let onPhone = CallFeatures(rawValue: 4096)
    /// The level of the microphone can be measured.
    public static let microphoneLevel = CallFeatures(rawValue: 16_384)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

public enum CallEvent: Hashable, Sendable {
    case ringing
    /// The far end, or the network, is heard before the answer (SIP: 183 with a session, RFC 3960).
    case earlyMedia
    case answered
    /// The call cannot be held, and continues.
    case holdRefused
    /// The call cannot be resumed, and stays on hold.
    case resumeRefused
    /// The call cannot be transferred, and continues.
    case transferRefused
    /// The far end holds the call, or has resumed it.
    case heldByFarEnd(Bool)
    /// No microphone is available: the far end hears silence.
    case noMicrophone
    /// The far end has sent no sound for a minute, or sends some again. The call goes on.
    case silent(Bool)
    /// Keys do not reach the far end, which takes them in no way that the line has, or do so again.
    case keysRefused(Bool)
    case quality(CallQuality)
    /// The level of what the far end hears of the microphone, in dBFS.
    case microphoneLevel(Double)
    case text(CallTextEvent)
    /// The far end transferred the call: it is connected to another party from now on.
    case farEndChanged(RemoteParty)
    /// Greeting and tone of the answering machine are over: what the far end says is recorded.
    case machineRecords
    /// A recording has ended, once for each.
    ///
    /// - Parameter isSilent: Whether nobody said anything.
    case recorded(seconds: Double, RecordingEnd, isSilent: Bool)
    /// The call ended, or could not be set up.
    case ended(CallEndReason)
    /// The phone that has the call has done this with it, whatever was asked of it here.
    case onPhone(PhoneAction)
}

/// An action of a phone that this one controls, on one of its calls.
public enum PhoneAction: Hashable, Sendable, CaseIterable {
    /// It was answered or resumed, or is alone again.
    case connected
    case held
    /// It was joined with another call of that phone.
    case joined
}

/// An event of the real-time text of a call.
public enum CallTextEvent: Hashable, Sendable {
    /// Text runs in both directions, or no longer; the far end may have asked for it.
    case runs(Bool)
    /// The far end does not take the text for which the user asked.
    case refused
    /// A part of the far end's text, in which U+0008 erases the last character, U+2028 ends a line, and U+FFFD stands for
    /// text that was lost.
    case received(String)
}
