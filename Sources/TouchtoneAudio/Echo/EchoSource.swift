// SPDX-License-Identifier: GPL-3.0-or-later

/// Plays what is in an `EchoLine`, so many frames after it was written there.
///
/// The microphone's clock and the device's are not the same: where they have drifted apart by a quarter of a second, or
/// samples stay out, it begins anew at its distance.
struct EchoSource: SoundSource {
    /// Half of what came in: what the loudspeaker gives back to the microphone must die away, and keys fit beside it.
    static let gain = 0.5

    let peak = gain
    let isOver = false

    private let line: EchoLine
    private let delay: Int
    private let tolerance: Int
    private var position = 0
    private var isFlowing = false

    /// - Parameters:
    ///   - delay: in frames.
    ///   - rate: in hertz.
    init(_ line: EchoLine, delay: Int, rate: Int) {
        self.line = line
        self.delay = delay
        tolerance = rate / 4
    }

    /// How many samples the line has to keep for it.
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
