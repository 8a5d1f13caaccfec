// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The two tones of a key (ITU-T Q.23), whose sum peaks at 1.
struct TonePair {
    /// The amplitude of the high tone relative to the low one: 2 dB more, because lines attenuate it more;
    /// standards for telephone sets require 1 to 4 dB.
    private static let ratio = 1.258_925_411_794_167_2

    private static let lowAmplitude = 1 / (1 + ratio)
    private static let highAmplitude = ratio / (1 + ratio)

    private var low: Oscillator
    private var high: Oscillator
    private let lowAmplitude = Self.lowAmplitude
    private let highAmplitude = Self.highAmplitude

    init(_ key: DTMFKey, rate: Double) {
        low = Oscillator(frequency: key.lowFrequency, rate: rate)
        high = Oscillator(frequency: key.highFrequency, rate: rate)
    }

    /// Returns the sample of the next frame, -1...1.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        lowAmplitude * low.next() + highAmplitude * high.next()
    }

    /// Corrects rounding errors; call it once per block.
    @_noLocks @_noAllocation
    mutating func normalise() {
        low.normalise()
        high.normalise()
    }
}
