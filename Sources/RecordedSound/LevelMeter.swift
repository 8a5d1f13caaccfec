// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// Measures how loud sound is, ten times in each second of it.
public struct LevelMeter: Sendable {
    /// The level of silence, in dBFS.
    public static let silence = -90.0
    private static let partsOfSecond = 10

    private var power = 0.0
    private var count = 0

    public init() {}

    /// Returns the level of the last part that ended in these samples, in dBFS, where a sine of full scale has 0; nil if none
    /// ended.
    public mutating func level(of samples: UnsafeBufferPointer<Int16>, rate: Int) -> Double? {
        var level: Double?
        for sample in samples {
            power += Double(sample) * Double(sample)
            count += 1
            guard count * Self.partsOfSecond >= rate else { continue }
            // The mean square of a sine is half the square of its peak.
            let square = 2 * power / Double(count) / (32_768 * 32_768)
            level = square > 0 ? min(0, max(Self.silence, 10 * log10(square))) : Self.silence
            (power, count) = (0, 0)
        }
        return level
    }
}
