// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

/// The recordings of a tone set in memory, all at one rate.
final class ToneSet: Sendable {
    /// The recordings by the raw value of their key, nil where the synthesizer sounds; as the audio thread sees them.
    struct Sounds {
        private let table: UnsafePointer<UnsafeBufferPointer<Float>?>

        fileprivate init(_ table: UnsafePointer<UnsafeBufferPointer<Float>?>) { self.table = table }

        /// The recording of the key whose raw value is `index`, 0...15.
        subscript(index: Int) -> UnsafeBufferPointer<Float>? {
            @_noLocks @_noAllocation get { table[index] }
        }
    }

    // Written by `init` alone and freed by `deinit`: nobody can see it change.
    private nonisolated(unsafe) let table: UnsafeMutablePointer<UnsafeBufferPointer<Float>?>

    /// Copies the recordings, -1...1.
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

    /// The recordings; valid as long as the tone set is.
    var sounds: Sounds { Sounds(table) }
}
