// SPDX-License-Identifier: GPL-3.0-or-later

/// The layout of a device's buffer; a larger one prolongs tones after their release.
struct BufferConfiguration: Hashable {
    /// The length of a period in microseconds, after which the audio thread runs while a tone sounds.
    let period: UInt32
    let periods: UInt32

    /// The unused part of the buffer, as a fraction of a period: a release waits for the samples in the buffer.
    let reserve: Double

    /// For a thread with real-time priority: 5 ms × 4 had no gaps under four busy loops.
    static let realTime = BufferConfiguration(period: 5000, periods: 4, reserve: 0.5)
    /// For an ordinary thread, which may run late: 10 ms × 3.
    static let ordinary = BufferConfiguration(period: 10_000, periods: 3, reserve: 0)
}
