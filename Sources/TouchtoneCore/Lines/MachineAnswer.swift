// SPDX-License-Identifier: GPL-3.0-or-later

/// How the answering machine takes a call.
public struct MachineAnswer: Sendable {
    /// A sound file, for reading.
    public let greeting: OpenFile
    /// An empty file, for writing: the far end as Ogg Opus in mono.
    public let recording: OpenFile
    /// The greatest length of the recording, one minute to ten.
    public let limit: Duration
    /// Whether the far end is heard on the ringing device.
    public let isAloud: Bool

    public init(greeting: OpenFile, recording: OpenFile, limit: Duration, isAloud: Bool) {
        (self.greeting, self.recording, self.limit, self.isAloud) = (greeting, recording, limit, isAloud)
    }
}

/// Why a recording has ended.
public enum RecordingEnd: Hashable, Sendable {
    /// The far end pressed `#`.
    case key
    /// The far end has said nothing for ten seconds.
    case silence
    /// The recording has its greatest length.
    case limit
    /// The call has ended.
    case ended
    /// The user has ended it, or has taken the call over.
    case stopped
    /// The file could not be written any further, or the call's sound was lost.
    case failed
}
