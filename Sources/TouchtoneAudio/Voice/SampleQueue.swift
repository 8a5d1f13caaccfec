// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// A wait-free queue of samples from one decoding thread to the audio thread.
struct SampleQueue {
    private struct State: ~Copyable {
        let written = Atomic(0)
        let read = Atomic(0)
        let isClosed = Atomic(false)
    }

    /// The capacity in samples, a power of two.
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    private let state: UnsafeMutablePointer<State>

    /// Allocates a queue for at least this many samples; free it with `deallocate()`.
    init(capacity wanted: Int) {
        var size = 1
        while size < wanted { size *= 2 }
        capacity = size
        samples = .allocate(capacity: size)
        samples.initialize(repeating: 0, count: size)
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    /// Frees the memory; no thread may use the queue afterwards.
    func deallocate() {
        samples.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The number of samples that wait.
    var count: Int {
        @_noLocks @_noAllocation get {
            state.pointee.written.load(ordering: .acquiring) - state.pointee.read.load(ordering: .acquiring)
        }
    }

    // MARK: - Decoding thread

    /// Appends samples as far as there is room, and returns their number.
    func write(_ new: ArraySlice<Float>) -> Int {
        let first = state.pointee.written.load(ordering: .relaxed)
        let added = min(new.count, capacity - count)
        for (index, sample) in new.prefix(added).enumerated() {
            samples[(first + index) & (capacity - 1)] = max(-1, min(1, sample))
        }
        state.pointee.written.store(first + added, ordering: .releasing)
        return added
    }

    /// Says that no sample follows.
    func close() { state.pointee.isClosed.store(true, ordering: .releasing) }

    // MARK: - Audio thread

    /// Whether no sample waits or follows.
    var isOver: Bool {
        @_noLocks @_noAllocation get { state.pointee.isClosed.load(ordering: .acquiring) && count == 0 }
    }

    /// Removes and returns the next sample; silence while none waits.
    @inline(__always)
    @_noLocks @_noAllocation
    func next() -> Float {
        guard count > 0 else { return 0 }
        let position = state.pointee.read.load(ordering: .relaxed)
        let sample = samples[position & (capacity - 1)]
        state.pointee.read.store(position + 1, ordering: .releasing)
        return sample
    }
}

/// Plays a queue once, at its own level.
struct QueueSource: SoundSource {
    let peak = 1.0
    private let queue: SampleQueue

    /// - Parameter queue: The samples, which must exist as long as the source.
    init(_ queue: SampleQueue) { self.queue = queue }

    var isOver: Bool { @_noLocks @_noAllocation get { queue.isOver } }

    @inline(__always)
    @_noLocks @_noAllocation
    mutating func next() -> Double { Double(queue.next()) }

    @_noLocks @_noAllocation
    mutating func normalise() {}
}
