// SPDX-License-Identifier: GPL-3.0-or-later

/// What a key sounds: its pair of tones, the recording that a tone set has for it, or its pulses.
enum KeySound {
    case pair(TonePair)
    case recording(Recording)
    case pulses(ClickSource)

    /// A recording being played: once, from its beginning to its end, then silence.
    struct Recording {
        /// The frames; the tone set that owns them outlives the sound.
        let frames: UnsafeBufferPointer<Float>
        private var position = 0

        /// At the beginning of `frames`.
        @_noLocks @_noAllocation
        init(_ frames: UnsafeBufferPointer<Float>) { self.frames = frames }

        /// The recording at this frame.
        @inline(__always)
        @_noLocks @_noAllocation
        mutating func next() -> Double {
            guard position < frames.count else { return 0 }
            defer { position += 1 }
            return Double(frames[position])
        }
    }
}
