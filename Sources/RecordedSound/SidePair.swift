// SPDX-License-Identifier: GPL-3.0-or-later

/// The two sides of a call, which come in parts of their own, side by side.
struct SidePair {
    /// The rate of both sides in hertz.
    let rate: Int
    private var far: [Int16] = []
    private var near: [Int16] = []

    init(rate: Int) { self.rate = rate }

    /// The lag, as a part of a second, at which a side is filled with silence, and the lag that is left then: a far end may
    /// send nothing while nobody speaks there.
    private static let (longestLag, keptLag) = (0.3, 0.1)

    /// The length in samples of what waits.
    var count: Int { max(far.count, near.count) }

    mutating func add(_ samples: UnsafeBufferPointer<Int16>, of side: Recorder.Side) {
        switch side {
        case .far: far += samples
        case .near: near += samples
        }
        if abs(far.count - near.count) > Int(Self.longestLag * Double(rate)) {
            fill(to: count - Int(Self.keptLag * Double(rate)))
        }
    }

    /// Removes and returns what is known of both sides, which is equally long; all, with silence in the gap, at the end.
    mutating func take(all: Bool) -> (far: [Int16], near: [Int16]) {
        if all { fill(to: count) }
        let length = min(far.count, near.count)
        defer {
            far.removeFirst(length)
            near.removeFirst(length)
        }
        return (Array(far.prefix(length)), Array(near.prefix(length)))
    }

    private mutating func fill(to length: Int) {
        far += [Int16](repeating: 0, count: max(0, length - far.count))
        near += [Int16](repeating: 0, count: max(0, length - near.count))
    }
}
