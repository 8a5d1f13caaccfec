// SPDX-License-Identifier: GPL-3.0-or-later

/// Keeps the sum of what sounds at once below full scale: all of it becomes softer by the same factor where the peaks
/// would not fit, and nothing does where they do.
///
/// It goes by what *may* sound, the keys at their level among it, so that a key that is pressed over a ringback tone
/// does not make that softer for a while. At the standard level a key fits beside any sound of the network.
struct Headroom {
    private var divisor: Gain
    private var target = 1.0

    /// With room for one voice; `rate` in hertz.
    init(rate: Double) { divisor = Gain(1, rate: rate) }

    /// Makes room for a sum of peaks: at once in silence, else in 10 ms.
    ///
    /// - Returns: whether there is room already.
    @_noLocks @_noAllocation
    mutating func provide(for peak: Double, inSilence: Bool) -> Bool {
        target = max(1, peak)
        if inSilence { divisor.jump(to: target) } else { divisor.glide(to: target) }
        return divisor.isSteady
    }

    /// Applies it to a block.
    @_noLocks @_noAllocation
    mutating func apply(to block: UnsafeMutableBufferPointer<Float>) {
        guard !(target == 1 && divisor.isSteady) else { return }
        for frame in 0..<block.count { block[frame] *= Float(1 / divisor.next()) }
    }
}
