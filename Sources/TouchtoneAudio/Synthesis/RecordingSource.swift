// SPDX-License-Identifier: GPL-3.0-or-later

/// The samples of a recording in memory that the audio thread may read.
final class RecordedSamples: Sendable {
    // They never change.
    nonisolated(unsafe) let frames: UnsafeBufferPointer<Float>

    init(_ samples: [Float]) {
        let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
        _ = copy.initialize(from: samples)
        frames = UnsafeBufferPointer(copy)
    }

    deinit { frames.deallocate() }
}

/// Plays a recording once, at its own level.
struct RecordingSource: SoundSource {
    let peak: Double

    private let frames: UnsafeBufferPointer<Float>
    private var position = 0

    /// - Parameter samples: The samples, which must exist as long as the source.
    init(_ samples: RecordedSamples) {
        frames = samples.frames
        peak = Double(min(1, frames.reduce(0) { max($0, abs($1)) }))
    }

    var isOver: Bool { @_noLocks @_noAllocation get { position > frames.count } }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double {
        defer { position += 1 }
        guard position < frames.count else { return 0 }
        return Double(max(-1, min(1, frames[position])))
    }

    @_noLocks @_noAllocation
    mutating func normalise() {}
}
