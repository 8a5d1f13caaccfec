// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Renders a sound of the phone to memory, with the generators that play it live.
public struct SoundScore: Sendable {
    public var sound: PhoneSound
    /// The level of the peak, or nil for the sound's own level.
    public var level: Level?

    public init(_ sound: PhoneSound, level: Level? = nil) {
        self.sound = sound
        self.level = level
    }

    /// Renders at most `seconds`, with a fade at the end, mono and 16 bits, at `rate` hertz (clamped).
    public func samples(rate: Int, seconds: Double) -> [Int16] {
        let rate = min(max(rate, KeyToneScore.rates.lowerBound), KeyToneScore.rates.upperBound)
        var voice = SoundVoice(sound, rate: rate)
        let gain = level.map { voice.peak > 0 ? $0.amplitude / voice.peak : 1 } ?? 1
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096)
        defer { block.deallocate() }
        let length = max(0, Int((seconds * Double(rate)).rounded()))
        let fade = min(Envelope(rate: Double(rate)).rampFrames, length)
        var samples: [Int16] = []
        func render(_ count: Int) {
            var left = count
            while left > 0, !voice.isOver {
                let frames = UnsafeMutableBufferPointer(rebasing: block[..<min(left, block.count)])
                frames.initialize(repeating: 0)
                let sounding = voice.mix(into: frames, gain: gain)
                for frame in 0..<sounding { samples.append(Renderer.sample(frames[frame])) }
                left -= frames.count
            }
        }
        render(length - fade)
        voice.stop()
        render(fade)
        return samples
    }
}
