// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The sounds of a recording, separated by silence.
struct Bursts {
    /// The frames of each sound, from the first to the last that is not silent.
    let ranges: [Range<Int>]
    private let samples: [Int16]

    /// Finds sounds that are separated by at least `gap` seconds of silence.
    init(_ samples: [Int16], rate: Int, gap: Double = 0.02) {
        self.samples = samples
        let silence = Int(gap * Double(rate))
        var ranges: [Range<Int>] = []
        for (frame, sample) in samples.enumerated() where abs(Int(sample)) > 2 {
            if let last = ranges.last, frame - last.upperBound < silence {
                ranges[ranges.count - 1] = last.lowerBound..<frame + 1
            } else {
                ranges.append(frame..<frame + 1)
            }
        }
        self.ranges = ranges
    }

    /// The sounds.
    var sounds: [[Int16]] { ranges.map { Array(samples[$0]) } }

    /// The silences between them, in frames.
    var gaps: [Int] { zip(ranges, ranges.dropFirst()).map { $1.lowerBound - $0.upperBound } }
}

/// Returns the greatest difference between adjacent samples, relative to full scale; a click causes a large one.
func greatestStep(_ samples: [Int16]) -> Double {
    let steps = zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }
    return Double(steps.max() ?? 0) / 32767
}

/// Returns the greatest step of a pair of tones with that peak: both tones at their steepest point at once.
func steepestStep(_ key: DTMFKey, peak: Double, rate: Int) -> Double {
    let ratio = 1.2589
    let slope = (key.lowFrequency + ratio * key.highFrequency) / (1 + ratio)
    // Rounding changes a sample by half a step at most, and two of them by one.
    return peak * 2 * .pi * slope / Double(rate) + 1.0 / 32767
}
