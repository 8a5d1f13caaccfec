// SPDX-License-Identifier: GPL-3.0-or-later

/// Plays an `EchoRingBuffer` with a fixed delay, at which it restarts if samples are missing, or the clocks
/// of the microphone and the playback device drift apart by a quarter of a second.
struct EchoSource: SoundSource {
    /// Half of the input, so that feedback from the loudspeaker dies away, and key tones fit beside the echo.
    static let gain = 0.5

    let peak = gain
    let isOver = false

    private let line: EchoRingBuffer
    private let delay: Int
    private let tolerance: Int
    private var position = 0
    private var isFlowing = false

    /// `delay` is in frames, `rate` in hertz.
    init(_ line: EchoRingBuffer, delay: Int, rate: Int) {
        self.line = line
        self.delay = delay
        tolerance = rate / 4
    }

    static func capacity(delay: Int, rate: Int) -> Int { delay + rate / 2 }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        let distance = line.written - position
        if isFlowing, distance <= 0 { isFlowing = false }
        if !isFlowing || distance > delay + tolerance {
            let begin = line.written - delay
            guard begin >= position || isFlowing else { return 0 }
            position = max(position, begin)
            isFlowing = true
        }
        let sample = line.sample(position)
        position += 1
        return Double(sample) / 32768 * Self.gain
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}
}
