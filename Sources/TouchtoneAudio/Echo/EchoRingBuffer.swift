// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// A wait-free ring buffer from the microphone's thread to the audio thread, which keeps the newest samples:
/// a late reader finds newer ones in place of those it expects.
struct EchoRingBuffer {
    private struct Cell: ~Copyable {
        let value = Atomic<Int16>(0)
    }

    private struct Cursor: ~Copyable {
        let value = Atomic(0)
    }

    /// The capacity in samples, a power of two.
    let capacity: Int
    private let cells: UnsafeMutablePointer<Cell>
    private let cursor: UnsafeMutablePointer<Cursor>

    /// Allocates a buffer for at least this many samples; free it with `deallocate()`.
    init(capacity wanted: Int) {
        var size = 1
        while size < wanted { size *= 2 }
        capacity = size
        cells = .allocate(capacity: size)
        for index in 0..<size { (cells + index).initialize(to: Cell()) }
        cursor = .allocate(capacity: 1)
        cursor.initialize(to: Cursor())
    }

    /// Frees the memory; no thread may use the buffer afterwards.
    func deallocate() {
        cells.deinitialize(count: capacity)
        cells.deallocate()
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// The total number of samples written.
    var written: Int {
        @_noLocks @_noAllocation get { cursor.pointee.value.load(ordering: .acquiring) }
    }

    /// Appends samples; call it from one thread at a time.
    func write(_ samples: UnsafeBufferPointer<Int16>) {
        let first = cursor.pointee.value.load(ordering: .relaxed)
        for (index, sample) in samples.enumerated() {
            cells[(first + index) & (capacity - 1)].value.store(sample, ordering: .relaxed)
        }
        cursor.pointee.value.store(first + samples.count, ordering: .releasing)
    }

    /// Returns the sample at an index since the beginning, if it is still stored.
    @inline(__always)
    @_noLocks @_noAllocation
    func sample(_ index: Int) -> Int16 { cells[index & (capacity - 1)].value.load(ordering: .relaxed) }
}
