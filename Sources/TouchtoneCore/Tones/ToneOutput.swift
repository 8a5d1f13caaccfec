// SPDX-License-Identifier: GPL-3.0-or-later

/// An output for the key tones; the keypad plays its tones through it.
///
/// Every method returns immediately, and may be called from any thread: the implementation opens devices, and waits for
/// lost ones, elsewhere.
public protocol ToneOutput: AnyObject, Sendable {
    /// Starts the key's tone, in place of the present one, and plays it until `stop()`.
    func start(_ key: DTMFKey)

    /// Ends the tone, but not before its minimum duration of 50 ms.
    func stop()

    /// Sets whether a press can be expected soon: the device is then opened and kept ready.
    func setReady(_ ready: Bool)
}

/// A notice of the sound output for the user, sent once for each occasion.
public enum ToneNotice: Hashable, Sendable {
    /// No sound device is available: the phone continues in silence.
    case deviceLost(AudioRoute)
    /// The sound device is available again.
    case deviceFound(AudioRoute)
    /// The tone set has no valid files for these keys: the synthesizer replaces them.
    case toneSetIncomplete([DTMFKey])
    /// The tone plan in the settings does not exist or cannot be read: the standard one is used.
    case tonePlanMissing
}
