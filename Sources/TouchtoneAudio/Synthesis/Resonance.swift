// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// A partial of something that is struck: a sine that dies away, and grows again by each stroke.
struct Resonance {
    private var sine = 0.0
    private var cosine = 0.0
    private let stepSine: Double
    private let stepCosine: Double
    private let amplitude: Double

    /// At rest; `frequency` and `rate` in hertz, `amplitude` that of one stroke, `decay` the seconds to 1/e of it.
    ///
    /// What the rate cannot hold is silent: so a bell has fewer partials at 8 kHz and none that folds back.
    init(frequency: Double, amplitude: Double, decay: Double, rate: Double) {
        let angle = 2 * Double.pi * frequency / rate
        let loss = exp(-1 / (decay * rate))
        stepSine = loss * sin(angle)
        stepCosine = loss * cos(angle)
        self.amplitude = frequency < 0.45 * rate ? amplitude : 0
    }

    /// Strikes it: what still sounds is added to.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func strike(_ force: Double) { cosine += amplitude * force }

    /// Brings it to rest.
    @_noLocks @_noAllocation
    mutating func rest() {
        sine = 0
        cosine = 0
    }

    /// The sound at this frame.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        let value = sine
        sine = value * stepCosine + cosine * stepSine
        cosine = cosine * stepCosine - value * stepSine
        return value
    }
}
