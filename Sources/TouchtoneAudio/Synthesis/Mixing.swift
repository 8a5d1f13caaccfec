// SPDX-License-Identifier: GPL-3.0-or-later

/// How a block is to sound, by the settings of the moment.
struct Mixing {
    /// The peak of a key's sound, 0...1 of full scale.
    var keys: Double
    /// The gain of the sounds that play beside the keys: 1 where these are at the standard level.
    var sounds = 1.0
    /// The peak of what rings.
    var ringing = 0.0
    /// The recordings that the keys sound by; nil is the synthesizer.
    var toneSet: ToneSet.Sounds?
    /// Whether the keys dial by pulses instead of tones.
    var isPulsed = false
}
