// SPDX-License-Identifier: GPL-3.0-or-later

/// The microphone and the loudspeaker for voice messages.
public protocol VoiceDevice: AnyObject, Sendable {
    /// Begins to record the microphone; returns at once.
    ///
    /// - Parameter failed: Called at most once, on any thread, if there is no microphone, or it is lost.
    func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording

    /// Reads a sound file, and plays it on the device for tones.
    ///
    /// At most the first ten minutes are played.
    ///
    /// - Parameter path: The absolute path of a file with any content.
    /// - Throws: An error if the file is not a sound that can be played.
    func play(file path: String) async throws(VoiceError) -> VoiceSound

    /// Ends a sound; does nothing if it has ended.
    func stop(_ sound: PlayedSound)
}

/// A recording that was begun.
public protocol VoiceRecording: AnyObject, Sendable {
    /// Ends the recording.
    ///
    /// - Returns: The recording as Ogg Opus (RFC 7845) in mono; nil without samples.
    func finish() async -> [UInt8]?

    /// Ends the recording without a result, and releases the microphone; does nothing after the end.
    func discard()
}

/// A sound file that plays.
public struct VoiceSound: Hashable, Sendable {
    /// The sound to stop.
    public let sound: PlayedSound
    /// The length.
    public let length: Duration

    /// Creates a sound with the given values.
    public init(sound: PlayedSound, length: Duration) { (self.sound, self.length) = (sound, length) }
}

/// The reason why a voice message is not played.
public enum VoiceError: Error, Hashable, Sendable {
    /// The file has no sound in a known format, or cannot be read.
    case unreadable
    /// Too many other sounds play.
    case busy
}
