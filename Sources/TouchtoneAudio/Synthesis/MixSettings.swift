// SPDX-License-Identifier: GPL-3.0-or-later

/// The current settings for rendering a block.
struct MixSettings {
    /// The peak of key sounds, 0...1 of full scale.
    var keys: Double
    /// The gain of other sounds, which is 1 if the keys are at the standard level.
    var sounds = 1.0
    /// The peak of ringing.
    var ringing = 0.0
    /// The recordings for the keys, or nil for the synthesizer.
    var toneSet: ToneSet.Sounds?
    /// Whether keys sound pulses instead of tones.
    var isPulsed = false
}
