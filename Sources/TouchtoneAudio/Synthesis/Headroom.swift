// SPDX-License-Identifier: GPL-3.0-or-later

/// How loud voices are that may sound at once, so that they never clip.
enum Headroom {
    /// The gain for all of the voices: 1 while their peaks fit under full scale together.
    ///
    /// It depends on what may sound and not on what does, so that a key that is pressed over a ringback tone does not
    /// make it softer for a while.
    static func gain(peaks: Double...) -> Double { 1 / max(1, peaks.reduce(0, +)) }
}
