// SPDX-License-Identifier: GPL-3.0-or-later

import Glibc

/// The rise and the fall of a tone: half a period of a cosine, so that neither clicks.
struct Envelope {
    /// How long a rise or a fall takes from 10 to 90 % of the amplitude, in seconds; at most 5 ms in AS/CA S002.
    static let riseTime = 0.002_5

    /// The part of half a cosine that lies between 10 and 90 %: (acos(-0.8) - acos(0.8)) / π.
    private static let shareOfRise = 0.590_334_470_601_733_1

    /// The length of a whole rise or fall, in frames.
    let rampFrames: Int

    /// The frames until the rise or the fall ends.
    private(set) var framesLeft: Int

    private var ramp: Oscillator
    private var isFalling = false
    private let restingRamp: Oscillator

    /// At the beginning of a rise; `rate` in hertz.
    init(rate: Double) {
        let frames = max(1, (Self.riseTime / Self.shareOfRise * rate).rounded(.up))
        rampFrames = Int(frames)
        framesLeft = rampFrames
        // A quarter of a period: its sine squared is the raised cosine.
        restingRamp = Oscillator(frequency: rate / (4 * frames), rate: rate)
        ramp = restingRamp
    }

    /// Whether the fall has come to its end.
    var isOver: Bool {
        @_noLocks @_noAllocation get { framesLeft == 0 && isFalling }
    }

    /// Goes back to the beginning of a rise.
    @_noLocks @_noAllocation
    mutating func rise() {
        isFalling = false
        framesLeft = rampFrames
        ramp = restingRamp
    }

    /// Begins the fall; only a steady envelope may fall, or it would jump.
    @_noLocks @_noAllocation
    mutating func fall() {
        isFalling = true
        framesLeft = rampFrames
        ramp = restingRamp
    }

    /// The gain at this frame, 0...1.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        guard framesLeft > 0 else { return isFalling ? 0 : 1 }
        framesLeft -= 1
        let sine = ramp.next()
        return isFalling ? 1 - sine * sine : sine * sine
    }
}
