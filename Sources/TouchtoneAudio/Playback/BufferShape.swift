// SPDX-License-Identifier: GPL-3.0-or-later

/// How a device's buffer is cut: the more of it, the longer a tone sounds on after its release.
struct BufferShape: Hashable {
    /// The length of a period, in microseconds: how often the audio thread runs while a tone sounds.
    let period: UInt32
    /// The number of periods in the buffer.
    let periods: UInt32

    /// How much of the buffer is left empty, in parts of a period: a release waits for what is in it.
    let reserve: Double

    /// For a thread with real-time priority: 5 ms × 4 had no gap beside four busy loops.
    static let realTime = BufferShape(period: 5000, periods: 4, reserve: 0.5)
    /// For an ordinary thread, which has to survive being late: 10 ms × 3.
    static let ordinary = BufferShape(period: 10_000, periods: 3, reserve: 0)
}
