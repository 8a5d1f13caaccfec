// SPDX-License-Identifier: GPL-3.0-or-later

/// The microphone and the loudspeaker for voice messages.
public protocol VoiceDevice: AnyObject, Sendable {
    /// Begins to record the microphone; returns at once.
    ///
    /// - Parameter failed: Called at most once, on any thread, if there is no microphone, or it is lost.
    func record(failed: @escaping @Sendable () -> Void) -> any VoiceRecording

    /// Plays a sound file of any content, for at most ten minutes, on the device for tones.
    ///
    /// - Parameter path: The absolute path.
    func play(file path: String) async throws(VoiceError) -> VoiceSound

    /// Ends a sound; does nothing if it has ended.
    func stop(_ sound: PlayedSound)
}

public protocol VoiceRecording: AnyObject, Sendable {
    /// Ends the recording, and returns it as Ogg Opus (RFC 7845) in mono; nil without samples.
    func finish() async -> [UInt8]?

    /// Ends the recording without a result, and releases the microphone; does nothing after the end.
    func discard()
}

public struct VoiceSound: Hashable, Sendable {
    /// The sound to stop.
    public let sound: PlayedSound
    public let length: Duration

    public init(sound: PlayedSound, length: Duration) { (self.sound, self.length) = (sound, length) }
}

public enum VoiceError: Error, Hashable, Sendable {
    /// The file has no sound in a known format, or cannot be read.
    case unreadable
    /// Too many other sounds play.
    case busy
}
