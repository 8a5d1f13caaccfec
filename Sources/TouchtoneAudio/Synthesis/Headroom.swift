// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the sum of simultaneous sounds below full scale: it attenuates all of them by the same factor if their peaks
/// would exceed it.
///
/// It considers what *may* sound, including the keys at their level, so that a key press does not attenuate a ringback
/// tone for a moment. At the standard level, a key fits beside any network tone.
struct Headroom {
    private var divisor: Gain
    private var target = 1.0

    init(rate: Double) { divisor = Gain(1, rate: rate) }

    /// Makes room for a sum of peaks, at once in silence, otherwise in 10 ms; returns whether there is room.
    @_noLocks @_noAllocation
    mutating func provide(for peak: Double, inSilence: Bool) -> Bool {
        target = max(1, peak)
        if inSilence { divisor.jump(to: target) } else { divisor.glide(to: target) }
        return divisor.isSteady
    }

    @_noLocks @_noAllocation
    mutating func apply(to block: UnsafeMutableBufferPointer<Float>) {
        guard !(target == 1 && divisor.isSteady) else { return }
        for frame in 0..<block.count { block[frame] *= Float(1 / divisor.next()) }
    }
}
