// SPDX-License-Identifier: GPL-3.0-or-later

/// The microphone and the loudspeaker for voice messages.
public protocol VoiceDevice: AnyObject, Sendable {
    /// Begins to record the microphone; returns at once.
    ///
    /// - Parameter failed: Called at most once, on any thread, if there is no microphone, or it is lost.
    func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording

    /// Measures a sound file of any content.
    ///
    /// - Parameter path: The absolute path.
    func overview(of path: String) async throws(VoiceError) -> SoundOverview

    /// Plays a sound file of any content on the device for tones.
    ///
    /// Finding the place to begin at may take minutes in a long file; cancelling the task ends that.
    ///
    /// - Parameters:
    ///   - path: The absolute path.
    ///   - start: The place in the sound to begin at.
    ///   - ended: Called at most once, on any thread, at the end of the sound; not after it was stopped.
    func play(
        file path: String, from start: Duration, ended: @escaping @Sendable () -> Void
    ) async throws(VoiceError) -> VoiceSound
}

public protocol VoiceRecording: AnyObject, Sendable {
    /// Ends the recording, and returns it as Ogg Opus (RFC 7845) in mono; nil without samples.
    func finish() async -> [UInt8]?

    /// Ends the recording without a result, and releases the microphone; does nothing after the end.
    func discard()
}

/// A sound that plays, and ends with the object.
public protocol VoicePlayback: AnyObject, Sendable {
    /// Ends the sound; does nothing if it has ended.
    func stop()
}

public struct VoiceSound: Sendable {
    /// The sound to stop.
    public let playback: any VoicePlayback
    /// The length that the file claims.
    public let length: Duration

    public init(playback: any VoicePlayback, length: Duration) {
        (self.playback, self.length) = (playback, length)
    }
}

public enum VoiceError: Error, Hashable, Sendable {
    /// The file has no sound in a known format, or cannot be read.
    case unreadable
    /// Too many other sounds play.
    case busy
}
