// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
import TouchtoneCore

/// The sounds other than key tones, passed wait-free from one writing thread at a time to the audio thread: a
/// free slot belongs to the writer, an occupied one to the audio thread until its sound ends.
struct VoicePool {
    static let count = 4

    private enum State: UInt8, AtomicRepresentable { case free, playing, stopping }

    /// The content of a slot, owned by one thread at a time according to the slot's state.
    private struct Slot {
        var voice = SoundVoice(.keyClick, rate: KeyToneScore.rates.lowerBound)
        var isRinging = false
        var isEndless = false
        /// Owned by the audio thread: whether the sound counts towards the headroom, and whether it is audible.
        var isSeen = false
        var hasBegun = false
    }

    private struct SharedState: ~Copyable {
        let value = Atomic(State.free)
    }

    private let states: UnsafeMutablePointer<SharedState>
    private let slots: UnsafeMutablePointer<Slot>
    /// Owned by the writing thread: the number of the last sound in each slot.
    private let numbers: UnsafeMutablePointer<UInt64>

    /// Allocates free slots; release them with `deallocate()`.
    init() {
        states = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (states + index).initialize(to: SharedState()) }
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: Slot(), count: Self.count)
        numbers = .allocate(capacity: Self.count)
        numbers.initialize(repeating: 0, count: Self.count)
    }

    /// Frees the memory; no thread may use the slots afterwards.
    func deallocate() {
        states.deinitialize(count: Self.count)
        states.deallocate()
        slots.deallocate()
        numbers.deallocate()
    }
}

// MARK: - Writing thread

extension VoicePool {
    /// Passes a sound to the audio thread; returns false if all slots are occupied.
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

    /// Returns whether the audio thread may still play a sound.
    func holds(_ number: UInt64) -> Bool {
        (0..<Self.count).contains {
            numbers[$0] == number && states[$0].value.load(ordering: .acquiring) != .free
        }
    }

    func stop(_ number: UInt64) {
        for index in 0..<Self.count where numbers[index] == number {
            _ = states[index].value.compareExchange(
                expected: .playing, desired: .stopping, ordering: .acquiringAndReleasing)
        }
    }
}

// MARK: - Audio thread

extension VoicePool {
    /// Whether no sound plays or is pending.
    var isEmpty: Bool {
        @_noLocks @_noAllocation get {
            for index in 0..<Self.count where states[index].value.load(ordering: .acquiring) != .free {
                return false
            }
            return true
        }
    }

    var isSounding: Bool {
        @_noLocks @_noAllocation get {
            for index in 0..<Self.count where slots[index].hasBegun { return true }
            return false
        }
    }

    /// The maximum peak of all playing and pending sounds.
    @_noLocks @_noAllocation
    func peak(_ mixing: MixSettings) -> Double {
        var peak = 0.0
        for index in 0..<Self.count where states[index].value.load(ordering: .acquiring) != .free {
            slots[index].isSeen = true
            peak += slots[index].voice.peak * gain(index, mixing)
        }
        return peak
    }

    /// Starts the sounds that `peak` has counted.
    @_noLocks @_noAllocation
    func begin() {
        for index in 0..<Self.count where slots[index].isSeen { slots[index].hasBegun = true }
    }

    /// Adds the playing sounds to `output`; returns the frames up to their end in this block, 0 if none play.
    @_noLocks @_noAllocation
    func mix(into output: UnsafeMutableBufferPointer<Float>, _ mixing: MixSettings) -> Int {
        var end = 0
        for index in 0..<Self.count where slots[index].hasBegun {
            if states[index].value.load(ordering: .acquiring) == .stopping { slots[index].voice.stop() }
            end = max(end, slots[index].voice.mix(into: output, gain: gain(index, mixing)))
            if slots[index].voice.isOver { free(index) }
        }
        return end
    }

    /// Discards the finite sounds: they are inaudible without a device, and would be late with the next one.
    @_noLocks @_noAllocation
    func discardPassing() {
        for index in 0..<Self.count {
            let state = states[index].value.load(ordering: .acquiring)
            if state == .stopping || state == .playing && !slots[index].isEndless { free(index) }
        }
    }

    @_noLocks @_noAllocation
    private func gain(_ index: Int, _ mixing: MixSettings) -> Double {
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
