// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The level of the key tones in dBFS, which is that of the **peak** of a sound.
///
/// A DTMF pair beats, so its peak is the sum of both amplitudes. With peaks instead of RMS values, 0 dBFS is the
/// loudest pair that does not clip: the low tone is then 7.08 dB and the high tone 5.08 dB below a full-scale sine, and
/// their combined RMS value is 2.95 dB below that of a full-scale sine.
public struct Level: Hashable, Sendable {
    public static let range = -40.0...0.0

    public static let standard = Level(decibels: -9)

    /// The level in dBFS, within `range`.
    public let decibels: Double

    /// Clamps to `range`; NaN becomes the lowest level, not the loudest.
    public init(decibels: Double) {
        let lowest = Self.range.lowerBound
        self.decibels = decibels.isNaN ? lowest : min(max(decibels, lowest), Self.range.upperBound)
    }

    /// The peak amplitude; 1 is full scale.
    public var amplitude: Double { pow(10, decibels / 20) }
}
