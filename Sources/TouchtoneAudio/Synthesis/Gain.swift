// SPDX-License-Identifier: GPL-3.0-or-later

/// An amplitude that follows its setting linearly, so that changes of level do not click.
struct Gain {
    /// The duration of a change, in seconds.
    private static let glide = 0.010

    private let glideFrames: Int
    private var current: Double
    private var target: Double
    private var step = 0.0
    private var framesLeft = 0

    init(_ amplitude: Double, rate: Double) {
        glideFrames = max(1, Int(Self.glide * rate))
        current = amplitude
        target = amplitude
    }

    var isSteady: Bool {
        @_noLocks @_noAllocation get { framesLeft == 0 }
    }

    /// Sets the amplitude at once, which is inaudible only in silence.
    @_noLocks @_noAllocation
    mutating func jump(to amplitude: Double) {
        current = amplitude
        target = amplitude
        framesLeft = 0
    }

    @_noLocks @_noAllocation
    mutating func glide(to amplitude: Double) {
        guard amplitude != target else { return }
        target = amplitude
        framesLeft = glideFrames
        step = (target - current) / Double(glideFrames)
    }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        guard framesLeft > 0 else { return current }
        framesLeft -= 1
        current = framesLeft == 0 ? target : current + step
        return current
    }
}
