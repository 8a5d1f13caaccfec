// SPDX-License-Identifier: GPL-3.0-or-later

/// The two sides of a call, which come in parts of their own, side by side.
///
/// A side that lags is filled with silence: a far end may send nothing while nobody speaks there. If its sound comes after all,
/// as much of it is left out, so that a busy machine does not make a recording longer.
struct SidePair {
    private struct Samples {
        var waiting: [Int16] = []
        /// The silence that was put in the place of samples that may still come.
        var owed = 0
    }

    /// The rate of both sides in hertz.
    let rate: Int
    private var far = Samples()
    private var near = Samples()

    init(rate: Int) { self.rate = rate }

    /// The lag, as a part of a second, at which a side is filled, and the lag that is left then.
    private static let (longestLag, keptLag) = (0.6, 0.2)

    /// The length in samples of what waits.
    var count: Int { max(far.waiting.count, near.waiting.count) }

    mutating func add(_ samples: UnsafeBufferPointer<Int16>, of side: Recorder.Side) {
        switch side {
        case .far:
            far.waiting += samples
            align(&far, &near)
        case .near:
            near.waiting += samples
            align(&near, &far)
        }
    }

    /// Removes and returns what is known of both sides, which is equally long; all, with silence in the gap, at the end.
    mutating func take(all: Bool) -> (far: [Int16], near: [Int16]) {
        let length = all ? count : min(far.waiting.count, near.waiting.count)
        return (Self.take(length, of: &far), Self.take(length, of: &near))
    }

    /// Aligns a side that has got samples with the other one.
    private func align(_ side: inout Samples, _ other: inout Samples) {
        let lead = side.waiting.count - other.waiting.count
        guard lead > Int(Self.longestLag * Double(rate)) else { return }
        let excess = lead - Int(Self.keptLag * Double(rate))
        let late = min(side.owed, excess)
        side.waiting.removeLast(late)
        side.owed -= late
        Self.fill(&other, by: excess - late)
    }

    private static func fill(_ side: inout Samples, by count: Int) {
        side.waiting += [Int16](repeating: 0, count: count)
        side.owed += count
    }

    private static func take(_ length: Int, of side: inout Samples) -> [Int16] {
        let taken = Array(side.waiting.prefix(length))
        side.waiting.removeFirst(taken.count)
        return taken + [Int16](repeating: 0, count: length - taken.count)
    }
}
