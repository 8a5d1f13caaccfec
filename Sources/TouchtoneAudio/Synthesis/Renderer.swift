// SPDX-License-Identifier: GPL-3.0-or-later

/// Makes blocks of 16-bit samples out of the voices: all that happens between a command and the device's buffer.
///
/// `render`, with all that it calls, neither locks, allocates nor counts references: its attributes make the
/// compiler refuse it otherwise.
struct Renderer: ~Copyable {
    private static let fullScale: Float = 32767

    private let mixture: UnsafeMutableBufferPointer<Float>
    private let samples: UnsafeMutableBufferPointer<Int16>

    /// The voice of the keys.
    var keyTones: KeyTones
    /// The voices of everything else.
    private let sounds: SoundSlots
    private var headroom: Headroom

    /// Renders from the key commands and the sounds at `rate` hertz, at most `maximumFrames` at a time.
    init(commands: KeyCommandRing, sounds: SoundSlots, rate: Double, maximumFrames: Int) {
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

    /// Whether nothing sounds and nothing waits to be sounded.
    var isSilent: Bool { keyTones.isSilent && sounds.isEmpty }

    /// Forgets what would be late when there is a device again; what is endless waits for it.
    mutating func discard() {
        keyTones.discard()
        sounds.discardPassing()
    }

    /// The most frames that a block can have.
    var maximumFrames: Int { samples.count }

    /// A block of mono samples, valid until the next call.
    struct Block {
        /// The samples, of which there are as many as asked for, up to `maximumFrames`.
        let samples: UnsafeBufferPointer<Int16>
        /// The number of frames up to the end of what sounds, 0 in silence.
        let soundEnd: Int
    }

    /// Renders the next `count` frames.
    @_noLocks @_noAllocation
    mutating func render(_ count: Int, _ mixing: Mixing) -> Block {
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

    /// The nearest 16-bit sample; beyond full scale the value stays there, for a wrap would be a loud crack.
    @inline(__always)
    static func sample(_ value: Float) -> Int16 {
        let scaled = max(-fullScale, min(fullScale, value * fullScale))
        return Int16(scaled + (scaled < 0 ? -0.5 : 0.5))
    }
}
