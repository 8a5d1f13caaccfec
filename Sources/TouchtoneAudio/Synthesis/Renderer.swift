// SPDX-License-Identifier: GPL-3.0-or-later

/// Renders the voices to blocks of 16-bit samples: everything between a command and the device's buffer.
///
/// `render` and everything that it calls neither lock, allocate nor count references. The compiler enforces this
/// through their attributes.
struct Renderer: ~Copyable {
    private static let fullScale: Float = 32767

    private let mixture: UnsafeMutableBufferPointer<Float>
    private let samples: UnsafeMutableBufferPointer<Int16>

    var keyTones: KeyTones
    private let sounds: VoicePool
    private var headroom: Headroom

    /// Creates a renderer for key commands and sounds at `rate` hertz, with blocks of at most `maximumFrames`.
    init(commands: KeyCommandRing, sounds: VoicePool, rate: Double, maximumFrames: Int) {
        self.sounds = sounds
        headroom = Headroom(rate: rate)
        keyTones = KeyTones(commands: commands, rate: rate)
        mixture = .allocate(capacity: maximumFrames)
        mixture.initialize(repeating: 0)
        samples = .allocate(capacity: maximumFrames)
        samples.initialize(repeating: 0)
    }

    deinit {
        mixture.deallocate()
        samples.deallocate()
    }

    var isSilent: Bool { keyTones.isSilent && sounds.isEmpty }

    /// Discards finite sounds, which would be late when a device returns; endless ones wait for it.
    mutating func discard() {
        keyTones.discard()
        sounds.discardPassing()
    }

    var maximumFrames: Int { samples.count }

    /// A block of mono samples, valid until the next call.
    struct Block {
        /// The samples, as many as requested, up to `maximumFrames`.
        let samples: UnsafeBufferPointer<Int16>
        /// The number of frames up to the end of the sound, or 0 for silence.
        let soundEnd: Int
    }

    @_noLocks @_noAllocation
    mutating func render(_ count: Int, _ mixing: MixSettings) -> Block {
        let frames = min(count, maximumFrames)
        let block = UnsafeMutableBufferPointer(rebasing: mixture[..<frames])
        for frame in 0..<frames { block[frame] = 0 }
        let isInSilence = !keyTones.isSounding && !sounds.isSounding
        if headroom.provide(for: mixing.keys + sounds.peak(mixing), inSilence: isInSilence) { sounds.begin() }
        let keyEnd = keyTones.mix(into: block, mixing)
        let soundEnd = max(keyEnd, sounds.mix(into: block, mixing))
        headroom.apply(to: block)
        for frame in 0..<frames { samples[frame] = Self.sample(block[frame]) }
        return Block(samples: UnsafeBufferPointer(rebasing: samples[..<frames]), soundEnd: soundEnd)
    }

    /// Returns the nearest 16-bit sample, saturated at full scale: wrapping would crack loudly.
    @inline(__always)
    static func sample(_ value: Float) -> Int16 {
        let scaled = max(-fullScale, min(fullScale, value * fullScale))
        return Int16(scaled + (scaled < 0 ? -0.5 : 0.5))
    }
}
