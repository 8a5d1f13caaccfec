// SPDX-License-Identifier: GPL-3.0-or-later

/// What makes the sounds of the telephone heard that are not its key tones; a line knows no more of sound than this.
///
/// Every call returns at once, from whichever thread it comes. Sounds on one outlet mix with each other and with the
/// key tones.
public protocol SoundOutput: AnyObject, Sendable {
    /// Begins the sound, which goes on to its end or until it is stopped.
    ///
    /// - Returns: what to stop it by; a sound that there is no room for any more is not heard.
    @discardableResult
    func play(_ sound: PhoneSound, on outlet: AudioRoute) -> PlayedSound

    /// Fades the sound out, which takes 4 ms; nothing happens if it is over.
    func stop(_ sound: PlayedSound)

    /// Plays all that sounds on `.tones` on the device of that name (`SoundDevice.name`); nil is its own device.
    func setSpeaker(_ device: String?)
}

extension SoundOutput {
    /// Nothing: an output with one device has no other.
    public func setSpeaker(_ device: String?) {}
}

/// Where a sound comes out.
public enum AudioRoute: Hashable, Sendable, CaseIterable {
    /// The device for tones, where the keys sound: the handset, as it were.
    case tones
    /// The device for ringing, with a level of its own.
    case ringer
}

/// A sound that was begun, for its `SoundOutput` to know it by.
public struct PlayedSound: Hashable, Sendable {
    /// Which one of all that its output began.
    public let number: UInt64

    /// The sound of that number.
    public init(number: UInt64) { self.number = number }
}
