// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

enum KeyCommand {
    /// A press of the key with this raw value (`DTMFKey`).
    case start(UInt8)
    case stop
}

/// A wait-free queue of key commands from one writing thread at a time to the audio thread.
///
/// It holds `capacity` commands: 2,048 presses with their releases, which take more than three minutes to play. If it
/// is full, a press is dropped, but a release always fits, so that no tone is stuck: one slot is reserved for the
/// release of the last accepted press.
struct KeyCommandRing {
    /// The capacity in commands, a power of two.
    static let capacity: UInt32 = 4096

    private struct Cursors: ~Copyable {
        let read = Atomic<UInt32>(0)
        let written = Atomic<UInt32>(0)
    }

    private static let stopCode: UInt8 = .max
    private let cursors: UnsafeMutablePointer<Cursors>
    private let codes: UnsafeMutablePointer<UInt8>

    /// Allocates an empty ring; free it with `deallocate()`.
    init() {
        cursors = .allocate(capacity: 1)
        cursors.initialize(to: Cursors())
        codes = .allocate(capacity: Int(Self.capacity))
        codes.initialize(repeating: Self.stopCode, count: Int(Self.capacity))
    }

    /// Frees the memory; no thread may use the ring afterwards.
    func deallocate() {
        cursors.deinitialize(count: 1)
        cursors.deallocate()
        codes.deallocate()
    }

    /// Appends a command if there is room; call it from one thread at a time.
    func push(_ command: KeyCommand) -> Bool {
        let written = cursors.pointee.written.load(ordering: .relaxed)
        let room = Self.capacity - (written &- cursors.pointee.read.load(ordering: .acquiring))
        let code: UInt8
        switch command {
        case .start(let key):
            guard room > 1 else { return false }
            code = key
        case .stop:
            guard room > 0 else { return false }
            code = Self.stopCode
        }
        codes[Int(written % Self.capacity)] = code
        cursors.pointee.written.store(written &+ 1, ordering: .releasing)
        return true
    }

    /// For the audio thread.
    var isEmpty: Bool {
        @_noLocks @_noAllocation get {
            let written = cursors.pointee.written.load(ordering: .acquiring)
            return cursors.pointee.read.load(ordering: .relaxed) == written
        }
    }

    /// Returns the next command without removing it; for the audio thread.
    @_noLocks @_noAllocation
    func peek() -> KeyCommand? {
        guard !isEmpty else { return nil }
        let code = codes[Int(cursors.pointee.read.load(ordering: .relaxed) % Self.capacity)]
        return code == Self.stopCode ? .stop : .start(code)
    }

    /// Removes the command that `peek()` returned; for the audio thread.
    @_noLocks @_noAllocation
    func drop() {
        let read = cursors.pointee.read.load(ordering: .relaxed)
        cursors.pointee.read.store(read &+ 1, ordering: .releasing)
    }

    /// For the audio thread.
    @_noLocks @_noAllocation
    func dropAll() {
        cursors.pointee.read.store(cursors.pointee.written.load(ordering: .acquiring), ordering: .releasing)
    }
}
