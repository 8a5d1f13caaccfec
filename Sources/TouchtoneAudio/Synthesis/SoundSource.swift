// SPDX-License-Identifier: GPL-3.0-or-later

/// A sound that is made frame by frame, the same at every playing of it.
protocol SoundSource {
    /// What no sample goes beyond, 0...1 of full scale.
    var peak: Double { get }

    /// Whether nothing comes any more.
    var isOver: Bool { @_noLocks @_noAllocation get }

    /// The sound at this frame, -`peak`...`peak`; the next call gives the next frame's.
    @_noLocks @_noAllocation
    mutating func next() -> Double

    /// Undoes what rounding did; to be called once a block.
    @_noLocks @_noAllocation
    mutating func normalise()
}
