// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The sounds of a recording, told apart by the silence between them.
struct Bursts {
    /// The frames of each sound, from its first that is heard to its last.
    let ranges: [Range<Int>]
    private let samples: [Int16]

    /// Sounds are apart where at least `gap` seconds are silent.
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

/// The greatest difference between neighbours, in parts of full scale: a click is a large one.
func greatestStep(_ samples: [Int16]) -> Double {
    let steps = zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }
    return Double(steps.max() ?? 0) / 32767
}

/// The greatest step that a pair of tones at that peak can make: both tones at their steepest, at once.
func steepestStep(_ key: DTMFKey, peak: Double, rate: Int) -> Double {
    let ratio = 1.2589
    let slope = (key.lowFrequency + ratio * key.highFrequency) / (1 + ratio)
    // A sample is rounded by half a step at most, two of them by one.
    return peak * 2 * .pi * slope / Double(rate) + 1.0 / 32767
}
