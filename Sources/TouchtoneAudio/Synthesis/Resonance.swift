// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A partial of a struck object: a decaying sine to which each stroke adds.
struct Resonance {
    private var sine = 0.0
    private var cosine = 0.0
    private let stepSine: Double
    private let stepCosine: Double
    private let amplitude: Double

    /// `amplitude` is that of one stroke, and `decay` the time to 1/e in seconds.
    ///
    /// A partial above the Nyquist frequency is silent, so that a bell has fewer partials at 8 kHz, without aliasing.
    init(frequency: Double, amplitude: Double, decay: Double, rate: Double) {
        let angle = 2 * Double.pi * frequency / rate
        let loss = exp(-1 / (decay * rate))
        stepSine = loss * sin(angle)
        stepCosine = loss * cos(angle)
        self.amplitude = frequency < 0.45 * rate ? amplitude : 0
    }

    /// Strikes the object, which adds to the remaining sound.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func strike(_ force: Double) { cosine += amplitude * force }

    @_noLocks @_noAllocation
    mutating func rest() {
        sine = 0
        cosine = 0
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        let value = sine
        sine = value * stepCosine + cosine * stepSine
        cosine = cosine * stepCosine - value * stepSine
        return value
    }
}
