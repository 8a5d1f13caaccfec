// SPDX-License-Identifier: GPL-3.0-or-later

/// A small generator of random numbers that gives the same ones for the same seed (Steele et al., OOPSLA 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// The seeds of tests with random input: give them as a test's arguments, and its failures name the seed.
public enum Seeds {
    /// Three that never change, and one that was never seen before.
    public static let all: [UInt64] = [1, 2, 3, UInt64.random(in: 1000...UInt64.max)]
}
