// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound that is generated frame by frame, identically each time; sample rates are in hertz.
protocol SoundSource {
    /// The maximum of all samples, 0...1 of full scale.
    var peak: Double { get }

    var isOver: Bool { @_noLocks @_noAllocation get }

    /// Returns the sample of the next frame, -`peak`...`peak`.
    @_noLocks @_noAllocation
    mutating func next() -> Double

    /// Corrects rounding errors. Call it once per block.
    @_noLocks @_noAllocation
    mutating func normalise()
}
