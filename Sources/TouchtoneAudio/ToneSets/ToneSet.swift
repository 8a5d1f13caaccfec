// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The recordings of a tone set in memory, all at the same rate.
final class ToneSet: Sendable {
    /// The audio thread's view of the recordings, by the raw value of the key; nil means the synthesizer.
    struct Sounds {
        private let table: UnsafePointer<UnsafeBufferPointer<Float>?>

        fileprivate init(_ table: UnsafePointer<UnsafeBufferPointer<Float>?>) { self.table = table }

        /// Returns the recording of the key with this raw value, 0...15.
        subscript(index: Int) -> UnsafeBufferPointer<Float>? {
            @_noLocks @_noAllocation get { table[index] }
        }
    }

    // Written only by `init` and freed by `deinit`, so it never changes in between.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<UnsafeBufferPointer<Float>?>

    /// Creates a tone set with copies of the recordings, -1...1.
    init(_ recordings: [DTMFKey: [Float]]) {
        table = .allocate(capacity: DTMFKey.allCases.count)
        table.initialize(repeating: nil, count: DTMFKey.allCases.count)
        for (key, frames) in recordings {
            let copy = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames.count)
            _ = copy.initialize(from: frames)
            table[Int(key.rawValue)] = UnsafeBufferPointer(copy)
        }
    }

    deinit {
        for index in DTMFKey.allCases.indices { table[index]?.deallocate() }
        table.deallocate()
    }

    /// The recordings, valid as long as the tone set exists.
    var sounds: Sounds { Sounds(table) }
}
