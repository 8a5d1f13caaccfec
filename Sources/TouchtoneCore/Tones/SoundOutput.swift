// SPDX-License-Identifier: GPL-3.0-or-later

/// An output for the sounds of the telephone other than key tones; lines play all their sounds through it.
///
/// Every method returns immediately, and may be called from any thread. Sounds on one route are mixed with each other
/// and with the key tones.
public protocol SoundOutput: AnyObject, Sendable {
    /// Starts a sound; one beyond the greatest number of simultaneous ones is not heard.
    @discardableResult
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound

    /// Fades a sound out within 4 ms; does nothing if it has ended.
    func stop(_ sound: PlayedSound)

    /// Plays all sounds on `.tones` on the device with that name (`SoundDevice.name`); nil is the route's own device.
    func setSpeaker(_ device: String?)
}

extension SoundOutput {
    /// Does nothing: an output with one device has no other.
    public func setSpeaker(_ device: String?) {}
}

public enum AudioRoute: Hashable, Sendable, CaseIterable {
    /// The device for tones, on which the keys sound, like a handset.
    case tones
    /// The device for ringing, with its own level.
    case ringer
}

/// An identifier of a sound that was started, for its `SoundOutput`.
public struct PlayedSound: Hashable, Sendable {
    /// The number of the sound, unique for its output.
    public let number: UInt64

    public init(number: UInt64) { self.number = number }
}
