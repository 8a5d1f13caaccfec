// SPDX-License-Identifier: GPL-3.0-or-later

/// An amplitude that follows its setting in a straight line, so that a change of level does not click.
struct Gain {
    /// How long a change takes, in seconds.
    private static let glide = 0.010

    private let glideFrames: Int
    private var current: Double
    private var target: Double
    private var step = 0.0
    private var framesLeft = 0

    /// `rate` in hertz; an `amplitude` of 1 is full scale.
    init(_ amplitude: Double, rate: Double) {
        glideFrames = max(1, Int(Self.glide * rate))
        current = amplitude
        target = amplitude
    }

    /// Whether it has arrived at the amplitude that is set.
    var isSteady: Bool {
        @_noLocks @_noAllocation get { framesLeft == 0 }
    }

    /// Takes the amplitude at once: for use in silence.
    @_noLocks @_noAllocation
    mutating func jump(to amplitude: Double) {
        current = amplitude
        target = amplitude
        framesLeft = 0
    }

    /// Begins to glide to the amplitude, if it is another than the one set.
    @_noLocks @_noAllocation
    mutating func glide(to amplitude: Double) {
        guard amplitude != target else { return }
        target = amplitude
        framesLeft = glideFrames
        step = (target - current) / Double(glideFrames)
    }

    /// The amplitude at this frame.
    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        guard framesLeft > 0 else { return current }
        framesLeft -= 1
        current = framesLeft == 0 ? target : current + step
        return current
    }
}
