// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization

/// What the keypad asks of the tones.
enum KeyCommand {
    /// A press of the key whose raw value (`DTMFKey`) this is.
    case start(UInt8)
    /// The release of the key that was pressed last.
    case stop
}

/// The queue of key commands between one writing thread at a time and the audio thread; neither ever waits.
///
/// It holds `capacity` commands: 2,048 presses with their releases, which take more than three minutes to sound.
/// A press that finds it full is not heard. A release always finds room, so a tone is never stuck: one slot is kept
/// for the release of the press that was taken last.
struct KeyCommandRing {
    /// How many commands can wait; a power of two.
    static let capacity: UInt32 = 4096

    private struct Cursors: ~Copyable {
        let read = Atomic<UInt32>(0)
        let written = Atomic<UInt32>(0)
    }

    private static let stopCode: UInt8 = .max
    private let cursors: UnsafeMutablePointer<Cursors>
    private let codes: UnsafeMutablePointer<UInt8>

    /// Allocates an empty ring, to be given back by `deallocate()`.
    init() {
        cursors = .allocate(capacity: 1)
        cursors.initialize(to: Cursors())
        codes = .allocate(capacity: Int(Self.capacity))
        codes.initialize(repeating: Self.stopCode, count: Int(Self.capacity))
    }

    /// Gives the memory back; no thread may use the ring any more.
    func deallocate() {
        cursors.deinitialize(count: 1)
        cursors.deallocate()
        codes.deallocate()
    }

    /// Adds the command, unless there is no room for it; for one thread at a time.
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

    /// Whether no command waits; for the audio thread.
    var isEmpty: Bool {
        @_noLocks @_noAllocation get {
            let written = cursors.pointee.written.load(ordering: .acquiring)
            return cursors.pointee.read.load(ordering: .relaxed) == written
        }
    }

    /// The next command, which stays in the ring; for the audio thread.
    @_noLocks @_noAllocation
    func peek() -> KeyCommand? {
        guard !isEmpty else { return nil }
        let code = codes[Int(cursors.pointee.read.load(ordering: .relaxed) % Self.capacity)]
        return code == Self.stopCode ? .stop : .start(code)
    }

    /// Takes the command that `peek()` showed out of the ring; for the audio thread.
    @_noLocks @_noAllocation
    func drop() {
        let read = cursors.pointee.read.load(ordering: .relaxed)
        cursors.pointee.read.store(read &+ 1, ordering: .releasing)
    }

    /// Takes every command out of the ring; for the audio thread.
    @_noLocks @_noAllocation
    func dropAll() {
        cursors.pointee.read.store(cursors.pointee.written.load(ordering: .acquiring), ordering: .releasing)
    }
}
