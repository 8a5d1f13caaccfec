// SPDX-License-Identifier: GPL-3.0-or-later

public import TouchtoneCore

/// Renders key tones to memory, with the synthesizer that plays them live.
public struct KeyToneScore: Sendable {
    public var keys: [DTMFKey]
    /// The length of each tone in seconds, from the start of its rise to the end of its fall; at least 55 ms.
    public var tone = 0.300
    /// The silence between tones in seconds, at least 50 ms.
    public var pause = 0.100
    public var level = Level.standard

    /// The sample rates that can be rendered, in hertz.
    public static let rates = 8000...192_000

    public init(_ keys: [DTMFKey]) { self.keys = keys }

    /// Renders the samples, mono and 16 bits, at `rate` hertz, which is clamped to `rates`.
    public func samples(rate: Int) -> [Int16] {
        let rate = Double(min(max(rate, Self.rates.lowerBound), Self.rates.upperBound))
        let commands = KeyCommandRing()
        let sounds = VoicePool()
        defer {
            commands.deallocate()
            sounds.deallocate()
        }
        let maximumFrames = 4096
        var renderer = Renderer(
            commands: commands, sounds: sounds, rate: rate, maximumFrames: maximumFrames)
        let mixing = MixSettings(keys: level.amplitude)
        let fall = Envelope(rate: rate).rampFrames
        var samples: [Int16] = []
        func render(_ count: Int) {
            var left = count
            while left > 0 {
                let block = renderer.render(min(left, maximumFrames), mixing)
                samples += block.samples
                left -= block.samples.count
            }
        }
        for (index, key) in keys.enumerated() {
            _ = commands.push(.start(key.rawValue))
            render(max(frames(tone, rate), frames(KeyTones.minimumTone, rate) + fall) - fall)
            _ = commands.push(.stop)
            render(fall)
            guard index < keys.count - 1 else { break }
            render(max(frames(pause, rate), frames(KeyTones.minimumPause, rate)))
        }
        return samples
    }

    private func frames(_ seconds: Double, _ rate: Double) -> Int { Int((seconds * rate).rounded(.up)) }
}
