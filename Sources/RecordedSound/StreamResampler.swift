// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts the rate of a sound that comes in parts, with the filter of `Resampler`, whose weights are computed once.
public struct StreamResampler: Sendable {
    /// The most sets of weights; rates with a stranger ratio use the nearest set.
    private static let mostPhases = 512

    /// The ratio of the rates in lowest terms.
    private let (up, down): (Int, Int)
    private let phases: Int
    /// The samples on each side that an output sample depends on.
    private let reach: Int
    /// The weights of `2 * reach` samples for each phase.
    private let weights: [Float]
    /// The samples that are still needed.
    private var samples: [Float]
    /// The place of the next output sample after the first of `samples`, in `up` parts of a sample.
    private var place: Int

    public init(from source: Int, to target: Int) {
        var (divisor, rest) = (source, target)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        (up, down) = (target / divisor, source / divisor)
        guard up != down else {
            (phases, reach, weights, samples, place) = (1, 0, [], [], 0)
            return
        }
        let filter = Resampler(from: source, to: target)
        let (phases, reach) = (min(up, Self.mostPhases), filter.reach)
        weights = (0..<phases).flatMap { phase in
            (1 - reach...reach).map {
                filter.factor(at: Double($0) - Double(phase) / Double(phases))
            }
        }
        (self.phases, self.reach) = (phases, reach)
        samples = [Float](repeating: 0, count: reach)
        place = reach * up
    }

    /// Returns what can be told after more of the sound.
    public mutating func resample(_ more: [Float]) -> [Float] {
        guard up != down else { return more }
        samples += more
        var result: [Float] = []
        result.reserveCapacity(more.count * up / down + 1)
        samples.withUnsafeBufferPointer { samples in
            weights.withUnsafeBufferPointer { weights in
                while place / up + reach < samples.count {
                    let first = place / up - reach + 1
                    let row = place % up * phases / up * 2 * reach
                    var sum: Float = 0
                    for tap in 0..<2 * reach { sum += samples[first + tap] * weights[row + tap] }
                    result.append(sum)
                    place += down
                }
            }
        }
        let used = min(samples.count, max(0, place / up - reach + 1))
        samples.removeFirst(used)
        place -= used * up
        return result
    }

    /// Returns the rest of the sound.
    public mutating func finish() -> [Float] { resample([Float](repeating: 0, count: reach)) }
}

extension Array where Element == Float {
    /// The samples of 16 bits as values from -1 to 1.
    public init(samples: some Sequence<Int16>) { self = samples.map { Float($0) / 32_768 } }
}

extension Array where Element == Int16 {
    /// Values from -1 to 1 as samples of 16 bits; others are clipped.
    public init(values: some Sequence<Float>) {
        self = values.map { Int16(Swift.max(-32_768, Swift.min(32_767, ($0 * 32_768).rounded()))) }
    }
}
