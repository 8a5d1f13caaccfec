// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// How loud the key tones are, in dBFS: the level of the **peak** that a sound can reach.
///
/// A DTMF pair beats, so its peak is the sum of both tones' amplitudes. Measuring there, and not at the RMS value,
/// makes 0 dBFS the loudest pair that does not clip: the low tone is then 7.08 dB and the high tone 5.08 dB below a
/// full-scale sine, and their common RMS value is 2.95 dB below that of a full-scale sine.
public struct Level: Hashable, Sendable {
    /// The levels that can be set, in dBFS.
    public static let range = -40.0...0.0

    /// The level of a phone that nobody has adjusted: -9 dBFS.
    public static let standard = Level(decibels: -9)

    /// The level in dBFS, within `range`.
    public let decibels: Double

    /// Clamps to `range`; what is not a number is the lowest level rather than the loudest.
    public init(decibels: Double) {
        let lowest = Self.range.lowerBound
        self.decibels = decibels.isNaN ? lowest : min(max(decibels, lowest), Self.range.upperBound)
    }

    /// The peak amplitude, where 1 is full scale.
    public var amplitude: Double { pow(10, decibels / 20) }
}
