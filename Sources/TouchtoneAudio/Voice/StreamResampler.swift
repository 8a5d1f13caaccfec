// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts the rate of a recording that comes in blocks, as `Resampler` does at once.
struct StreamResampler {
    private let resampler: Resampler
    private var window: [Float] = []
    /// The index of the window's first frame, and that of the next one to return.
    private var (origin, next) = (0, 0)

    init(from source: Int, to target: Int) { resampler = Resampler(from: source, to: target) }

    /// Takes a block, and returns what can be converted by now.
    mutating func push(_ block: [Float]) -> [Float] {
        guard resampler.ratio != 1 else { return block }
        window += block
        return advance(to: Int(Double(origin + window.count - resampler.reach) * resampler.ratio))
    }

    /// Returns the rest after the last block.
    mutating func finish() -> [Float] {
        guard resampler.ratio != 1 else { return [] }
        return advance(to: Int((Double(origin + window.count) * resampler.ratio).rounded()))
    }

    private mutating func advance(to end: Int) -> [Float] {
        guard end > next else { return [] }
        let result = resampler.resample(window, to: next..<end, origin: origin)
        next = end
        let first = max(origin, Int(Double(next) / resampler.ratio) - resampler.reach)
        window.removeFirst(min(window.count, first - origin))
        origin = first
        return result
    }
}
