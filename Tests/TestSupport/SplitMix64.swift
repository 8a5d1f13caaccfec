// SPDX-License-Identifier: GPL-3.0-or-later

/// A small random number generator with reproducible results for each seed (Steele et al., OOPSLA 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// The seeds of tests with random input, passed as arguments so that failures name the seed.
public enum Seeds {
    /// Three fixed seeds and a random one.
    public static let all: [UInt64] = [1, 2, 3, UInt64.random(in: 1000...UInt64.max)]
}
