// SPDX-License-Identifier: GPL-3.0-or-later

import TouchtoneCore

@testable import TouchtoneAudio

/// A renderer with its commands, without a device and independent of time.
final class Player {
    static let rate = 48_000
    let commands = KeyCommandRing()
    var renderer: Renderer
    private(set) var samples: [Int16] = []
    private(set) var soundEnd = 0

    var isPulsed = false
    var ringing = 0.0
    private let sounds = VoicePool()

    init() {
        renderer = Renderer(
            commands: commands, sounds: sounds, rate: Double(Self.rate), maximumFrames: 480)
    }

    deinit {
        commands.deallocate()
        sounds.deallocate()
    }

    /// Plays a sound beside the keys, or on the ringer at `ringing`.
    @discardableResult
    func play(_ sound: PhoneSound, number: UInt64 = 0, isRinging: Bool = false) -> Bool {
        sounds.play(
            SoundVoice(sound, rate: Self.rate), number: number, isRinging: isRinging,
            isEndless: sound.isEndless)
    }

    func stop(_ number: UInt64) { sounds.stop(number) }

    @discardableResult
    func press(_ key: DTMFKey) -> Bool { commands.push(.start(key.rawValue)) }

    func release() { _ = commands.push(.stop) }

    func render(_ count: Int, amplitude: Double = 0.5, sounds: Double = 1) {
        var left = count
        while left > 0 {
            let block = renderer.render(
                left, MixSettings(keys: amplitude, sounds: sounds, ringing: ringing, isPulsed: isPulsed))
            if block.soundEnd > 0 { soundEnd = samples.count + block.soundEnd }
            samples += block.samples
            left -= block.samples.count
        }
    }

    func renderAll(amplitude: Double = 0.5) {
        while !renderer.isSilent { render(96, amplitude: amplitude) }
        render(4800, amplitude: amplitude)
    }

    var isSilent: Bool { renderer.isSilent }

    var bursts: Bursts { Bursts(samples, rate: Self.rate) }
}

/// Returns the key of a sound by the strongest frequencies in its middle.
func key(of sound: [Int16]) -> DTMFKey? {
    let middle = sound[sound.count / 4..<sound.count * 3 / 4]
    func power(_ frequency: Double) -> Double {
        var oscillator = Oscillator(frequency: frequency, rate: Double(Player.rate))
        var shifted = oscillator
        for _ in 0..<Int(Double(Player.rate) / frequency / 4) { _ = shifted.next() }
        var sine = 0.0
        var cosine = 0.0
        for sample in middle {
            sine += Double(sample) * oscillator.next()
            cosine += Double(sample) * shifted.next()
        }
        return sine * sine + cosine * cosine
    }
    return DTMFKey.allCases.max {
        power($0.lowFrequency) + power($0.highFrequency) < power($1.lowFrequency) + power($1.highFrequency)
    }
}
