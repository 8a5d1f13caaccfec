// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// Samples on their way from the microphone's thread to the audio thread, of which neither ever waits for the other.
///
/// The newest ones are kept; who reads too late finds newer ones in their place.
struct EchoLine {
    private struct Cell: ~Copyable {
        let value = Atomic<Int16>(0)
    }

    private struct Cursor: ~Copyable {
        let value = Atomic(0)
    }

    /// How many samples are kept; a power of two.
    let capacity: Int
    private let cells: UnsafeMutablePointer<Cell>
    private let cursor: UnsafeMutablePointer<Cursor>

    /// Allocates a line for at least that many samples, to be given back by `deallocate()`.
    init(capacity wanted: Int) {
        var size = 1
        while size < wanted { size *= 2 }
        capacity = size
        cells = .allocate(capacity: size)
        for index in 0..<size { (cells + index).initialize(to: Cell()) }
        cursor = .allocate(capacity: 1)
        cursor.initialize(to: Cursor())
    }

    /// Gives the memory back; no thread may use the line any more.
    func deallocate() {
        cells.deinitialize(count: capacity)
        cells.deallocate()
        cursor.deinitialize(count: 1)
        cursor.deallocate()
    }

    /// How many samples were written since the beginning.
    var written: Int {
        @_noLocks @_noAllocation get { cursor.pointee.value.load(ordering: .acquiring) }
    }

    /// Adds samples; for one thread at a time.
    func write(_ samples: UnsafeBufferPointer<Int16>) {
        let first = cursor.pointee.value.load(ordering: .relaxed)
        for (index, sample) in samples.enumerated() {
            cells[(first + index) & (capacity - 1)].value.store(sample, ordering: .relaxed)
        }
        cursor.pointee.value.store(first + samples.count, ordering: .releasing)
    }

    /// The sample that was written at that place since the beginning, if it is still there.
    @inline(__always)
    @_noLocks @_noAllocation
    func sample(_ index: Int) -> Int16 { cells[index & (capacity - 1)].value.load(ordering: .relaxed) }
}
