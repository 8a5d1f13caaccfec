// SPDX-License-Identifier: GPL-3.0-or-later

/// What makes the key tones heard; the keypad knows no more of sound than this.
///
/// Every call returns at once, from whichever thread it comes: opening a device, or waiting for one that went
/// away, is the implementation's business and happens elsewhere.
public protocol ToneOutput: AnyObject, Sendable {
    /// Starts the key's tone, in place of the one that sounds, and holds it until `stop()`.
    func start(_ key: DTMFKey)

    /// Ends the tone, no earlier than its minimum duration of 50 ms.
    func stop()

    /// Says whether a press can be expected soon: the device is opened and kept ready while it can.
    func setReady(_ ready: Bool)
}

/// What the sound has to tell the user, each once.
public enum ToneNotice: Hashable, Sendable {
    /// No sound device can be had: the phone works on in silence.
    case deviceLost(AudioRoute)
    /// The device is back.
    case deviceFound(AudioRoute)
    /// A tone set lacks these keys' files, or holds broken ones: the synthesizer sounds for them.
    case toneSetIncomplete([DTMFKey])
    /// There is no tone plan of the name in the settings that can be read: the standard one is used.
    case tonePlanMissing
}
