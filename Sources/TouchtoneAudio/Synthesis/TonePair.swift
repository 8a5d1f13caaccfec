// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The two tones of a key (ITU-T Q.23), whose sum peaks at 1.
struct TonePair {
    /// How much louder the high tone is than the low one, in decibels: lines attenuate it more (the standards of
    /// telephone sets ask for 1 to 4 dB, most for 2).
    static let twist = 2.0

    /// 10^(2/20): the ratio of the amplitudes that `twist` stands for.
    private static let ratio = 1.258_925_411_794_167_2

    private static let lowAmplitude = 1 / (1 + ratio)
    private static let highAmplitude = ratio / (1 + ratio)

    private var low: Oscillator
    private var high: Oscillator
    private let lowAmplitude = Self.lowAmplitude
    private let highAmplitude = Self.highAmplitude

    /// Both tones start at phase 0; `rate` in hertz.
    init(_ key: DTMFKey, rate: Double) {
        low = Oscillator(frequency: key.lowFrequency, rate: rate)
        high = Oscillator(frequency: key.highFrequency, rate: rate)
    }

    /// The pair at this frame, -1...1.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        lowAmplitude * low.next() + highAmplitude * high.next()
    }

    /// Undoes the oscillators' rounding; to be called once a block.
    @_noLocks @_noAllocation
    mutating func normalise() {
        low.normalise()
        high.normalise()
    }
}
