// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The rise and the fall of a tone, as a raised cosine that avoids clicks.
struct Envelope {
    /// The time of a rise or fall from 10 to 90 % of the amplitude, in seconds; AS/CA S002 allows 5 ms.
    static let riseTime = 0.002_5

    /// The fraction of half a cosine between 10 and 90 %: (acos(-0.8) - acos(0.8)) / π.
    private static let shareOfRise = 0.590_334_470_601_733_1

    /// The length of a whole rise or fall, in frames.
    let rampFrames: Int

    /// The frames until the end of the rise or fall.
    private(set) var framesLeft: Int

    private var ramp: Oscillator
    private var isFalling = false
    private let restingRamp: Oscillator

    init(rate: Double) {
        let frames = max(1, (Self.riseTime / Self.shareOfRise * rate).rounded(.up))
        rampFrames = Int(frames)
        framesLeft = rampFrames
        // A quarter period, since the square of its sine is the raised cosine.
        restingRamp = Oscillator(frequency: rate / (4 * frames), rate: rate)
        ramp = restingRamp
    }

    var isOver: Bool {
        @_noLocks @_noAllocation get { framesLeft == 0 && isFalling }
    }

    @_noLocks @_noAllocation
    mutating func rise() {
        isFalling = false
        framesLeft = rampFrames
        ramp = restingRamp
    }

    /// Starts the fall; the envelope must be steady, or it would jump.
    @_noLocks @_noAllocation
    mutating func fall() {
        isFalling = true
        framesLeft = rampFrames
        ramp = restingRamp
    }

    /// Returns the gain of the next frame, 0...1.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        guard framesLeft > 0 else { return isFalling ? 0 : 1 }
        framesLeft -= 1
        let sine = ramp.next()
        return isFalling ? 1 - sine * sine : sine * sine
    }
}
