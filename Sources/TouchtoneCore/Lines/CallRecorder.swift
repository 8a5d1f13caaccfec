// SPDX-License-Identifier: GPL-3.0-or-later

/// The needs of recordings beside the calls: greetings, files, and a place in the history.
@MainActor
public protocol CallRecorder: AnyObject {
    /// Prepares what the answering machine needs for a call; nil if nothing can be recorded now.
    func beginMessage(of call: Call, at now: Duration, isAloud: Bool) -> MachineAnswer?

    /// Prepares a file for both sides of a call; nil if nothing can be recorded now.
    func beginRecording(of call: Call, at now: Duration) -> OpenFile?

    /// Notes the end of the call's last recording.
    func endRecording(of call: Call.ID, _ result: RecordingResult)
}

public struct RecordingResult: Hashable, Sendable {
    /// The length; nil if only the file tells.
    public let seconds: Double?
    /// Why it has ended; nil if the line did not say so in time.
    public let end: RecordingEnd?
    /// Whether nobody said anything.
    public let isSilent: Bool

    public init(seconds: Double?, end: RecordingEnd?, isSilent: Bool) {
        (self.seconds, self.end, self.isSilent) = (seconds, end, isSilent)
    }
}

/// When the answering machine takes calls, and how.
public struct MachineRules: Hashable, Sendable {
    public enum Callers: Hashable, Sendable {
        case everyone
        /// Callers who are in neither contacts nor history.
        case unknown
    }

    public var isOn = false
    /// The time for which a call rings before.
    public var delay = Duration.seconds(20)
    public var callers = Callers.everyone
    /// The greatest length of a message.
    public var limit = Duration.seconds(180)
    /// Whether the caller is heard while the message is recorded.
    public var isAloud = true
    /// Whether the phone is locked, so that nobody is heard.
    public var isLocked = false
    /// Whether both sides hear a tone while a call is recorded.
    public var hasRecordingTone = true

    public init() {}
}
