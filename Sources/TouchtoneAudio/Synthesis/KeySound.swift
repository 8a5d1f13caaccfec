// SPDX-License-Identifier: GPL-3.0-or-later

/// The sound of a key: its tone pair, its recording from a tone set, or its pulses.
enum KeySound {
    case pair(TonePair)
    case recording(Recording)
    case pulses(ClickSource)

    /// A recording that plays once, followed by silence.
    struct Recording {
        /// The frames; the tone set that owns them outlives the sound.
        let frames: UnsafeBufferPointer<Float>
        private var position = 0

        @_noLocks @_noAllocation
        init(_ frames: UnsafeBufferPointer<Float>) { self.frames = frames }

        @inline(__always)
        @_noLocks @_noAllocation
        mutating func next() -> Double {
            guard position < frames.count else { return 0 }
            defer { position += 1 }
            return Double(frames[position])
        }
    }
}
