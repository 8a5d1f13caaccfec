// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// The sounds that play beside the key tones, handed from one writing thread at a time to the audio thread; neither
/// ever waits.
///
/// A slot belongs to the writing thread while it is free, and to the audio thread from then on until the sound is over.
struct SoundSlots {
    /// How many sounds can play at once.
    static let count = 4

    private enum State: UInt8, AtomicRepresentable { case free, playing, stopping }

    /// What belongs to one thread at a time, as the slot's state says.
    private struct Slot {
        var voice = SoundVoice(.keyClick, rate: KeyToneScore.rates.lowerBound)
        /// Whether it follows the level of ringing.
        var isRinging = false
        var isEndless = false
        /// The audio thread's: whether the sound counts for the headroom, and whether it is heard.
        var isSeen = false
        var hasBegun = false
    }

    private struct SharedState: ~Copyable {
        let value = Atomic(State.free)
    }

    private let states: UnsafeMutablePointer<SharedState>
    private let slots: UnsafeMutablePointer<Slot>
    /// The writing thread's: which sound each slot was last given to.
    private let numbers: UnsafeMutablePointer<UInt64>

    /// Allocates free slots, to be given back by `deallocate()`.
    init() {
        states = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (states + index).initialize(to: SharedState()) }
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: Slot(), count: Self.count)
        numbers = .allocate(capacity: Self.count)
        numbers.initialize(repeating: 0, count: Self.count)
    }

    /// Gives the memory back; no thread may use the slots any more.
    func deallocate() {
        states.deinitialize(count: Self.count)
        states.deallocate()
        slots.deallocate()
        numbers.deallocate()
    }
}

// MARK: - For one thread at a time

extension SoundSlots {
    /// Hands a sound over, at the beginning of `voice`; false if all slots are taken.
    func play(_ voice: SoundVoice, number: UInt64, isRinging: Bool, isEndless: Bool) -> Bool {
        for index in 0..<Self.count where states[index].value.load(ordering: .acquiring) == .free {
            numbers[index] = number
            slots[index].voice = voice
            slots[index].isRinging = isRinging
            slots[index].isEndless = isEndless
            states[index].value.store(.playing, ordering: .releasing)
            return true
        }
        return false
    }

    /// Whether the audio thread may still play the sound of that number.
    func holds(_ number: UInt64) -> Bool {
        (0..<Self.count).contains {
            numbers[$0] == number && states[$0].value.load(ordering: .acquiring) != .free
        }
    }

    /// Has the sound of that number fade; nothing happens if it is over.
    func stop(_ number: UInt64) {
        for index in 0..<Self.count where numbers[index] == number {
            _ = states[index].value.compareExchange(
                expected: .playing, desired: .stopping, ordering: .acquiringAndReleasing)
        }
    }
}

// MARK: - For the audio thread

extension SoundSlots {
    /// Whether nothing plays or waits to be played.
    var isEmpty: Bool {
        @_noLocks @_noAllocation get {
            for index in 0..<Self.count where states[index].value.load(ordering: .acquiring) != .free {
                return false
            }
            return true
        }
    }

    /// Whether one of the sounds was begun and is not over.
    var isSounding: Bool {
        @_noLocks @_noAllocation get {
            for index in 0..<Self.count where slots[index].hasBegun { return true }
            return false
        }
    }

    /// What all that plays or waits to be played cannot go beyond.
    @_noLocks @_noAllocation
    func peak(_ mixing: Mixing) -> Double {
        var peak = 0.0
        for index in 0..<Self.count where states[index].value.load(ordering: .acquiring) != .free {
            slots[index].isSeen = true
            peak += slots[index].voice.peak * gain(index, mixing)
        }
        return peak
    }

    /// Begins the sounds that `peak` has counted.
    @_noLocks @_noAllocation
    func begin() {
        for index in 0..<Self.count where slots[index].isSeen { slots[index].hasBegun = true }
    }

    /// Adds the sounds that were begun to `output`.
    ///
    /// - Returns: the number of frames up to the end of the sounds in this block, 0 if there are none.
    @_noLocks @_noAllocation
    func mix(into output: UnsafeMutableBufferPointer<Float>, _ mixing: Mixing) -> Int {
        var end = 0
        for index in 0..<Self.count where slots[index].hasBegun {
            if states[index].value.load(ordering: .acquiring) == .stopping { slots[index].voice.stop() }
            end = max(end, slots[index].voice.mix(into: output, gain: gain(index, mixing)))
            if slots[index].voice.isOver { free(index) }
        }
        return end
    }

    /// Forgets the sounds that come to an end by themselves: nobody could hear them, and they would be late.
    @_noLocks @_noAllocation
    func discardPassing() {
        for index in 0..<Self.count {
            let state = states[index].value.load(ordering: .acquiring)
            if state == .stopping || state == .playing && !slots[index].isEndless { free(index) }
        }
    }

    @_noLocks @_noAllocation
    private func gain(_ index: Int, _ mixing: Mixing) -> Double {
        guard slots[index].isRinging else { return mixing.sounds }
        let peak = slots[index].voice.peak
        return peak > 0 ? mixing.ringing / peak : 0
    }

    @_noLocks @_noAllocation
    private func free(_ index: Int) {
        slots[index].isSeen = false
        slots[index].hasBegun = false
        states[index].value.store(.free, ordering: .releasing)
    }
}
