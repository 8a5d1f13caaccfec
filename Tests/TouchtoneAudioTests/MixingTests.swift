// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

/// Tests of several sounds at once, with key tones, without a device.
@Suite struct MixingTests {
    /// A key at 0 dBFS leaves half of full scale; these sounds leave it nothing.
    private static let loud: [PhoneSound] = [howler, .bell, .warble, .pulses([.zero])]

    private static let howler: PhoneSound = cadence([1400, 2060, 2450, 2600], level: -9)
    private static let ringback: PhoneSound = cadence([440, 480], level: -19)

    private static func cadence(_ frequencies: [Double], level: Double) -> PhoneSound {
        let tones = frequencies.compactMap { Cadence.Tone(frequency: $0, level: level) }
        return .cadence(Cadence([Cadence.Segment(tones, milliseconds: nil)].compactMap { $0 }) ?? .silence)
    }

    @Test func keyOverRingbackIsSumOfBoth() {
        let both = Player()
        both.play(Self.ringback)
        both.press(.five)
        both.render(9600, amplitude: Level.standard.amplitude)
        let key = Player()
        key.press(.five)
        key.render(9600, amplitude: Level.standard.amplitude)
        let ringback = Player()
        ringback.play(Self.ringback)
        ringback.render(9600, amplitude: Level.standard.amplitude)
        for frame in 0..<9600 {
            let sum = Int(key.samples[frame]) + Int(ringback.samples[frame])
            #expect(abs(Int(both.samples[frame]) - sum) <= 1)
        }
    }

    @Test func mixAboveFullScaleDoesNotClip() {
        let player = Player()
        for sound in Self.loud { #expect(player.play(sound)) }
        player.press(.zero)
        player.render(48_000, amplitude: 1)
        let peak = player.samples.map { abs(Int($0)) }.max() ?? 0
        #expect(peak < 32767, "it reaches full scale, where it would be cut")
        #expect(peak > 16384, "it is softer than it needs to be")
    }

    @Test func soundWithoutHeadroomGetsItWithoutClick() {
        let player = Player()
        player.press(.one)
        player.render(4800, amplitude: 1)
        player.play(Self.howler)
        player.render(4800, amplitude: 1)
        player.release()
        player.stop(0)
        player.render(4800, amplitude: 1)
        let howlerStep = [1400.0, 2060, 2450, 2600].reduce(0) { $0 + 0.249 * 2 * .pi * $1 / 48_000 }
        let step = greatestStep(player.samples)
        #expect(step < steepestStep(.one, peak: 1, rate: 48_000) + howlerStep)
        let alone = Player()
        alone.press(.one)
        alone.render(4800, amplitude: 1)
        #expect(Array(player.samples[..<4800]) == alone.samples, "a sound to come made the key softer")
    }

    @Test func keyLevelMatchesConcurrentSounds() {
        func peak(_ amplitude: Double) -> Double {
            let player = Player()
            player.play(Self.ringback)
            player.render(9600, amplitude: amplitude, sounds: amplitude / Level.standard.amplitude)
            return Double(player.samples.map { abs(Int($0)) }.max() ?? 0)
        }
        let standard = peak(Level.standard.amplitude)
        #expect(abs(peak(Level.standard.amplitude / 2) / standard - 0.5) < 0.001)
    }

    @Test func ringingHasItsSetLevel() {
        for ringing in [0.01, 0.3, 1] {
            let player = Player()
            player.ringing = ringing
            player.play(.warble, isRinging: true)
            player.render(48_000, amplitude: 0)
            let peak = Double(player.samples.map { abs(Int($0)) }.max() ?? 0) / 32767
            #expect(abs(peak / ringing - 1) < 0.03)
        }
    }

    @Test func onlyStoppedSoundEnds() {
        let player = Player()
        player.play(Self.cadence([440], level: -9), number: 1)
        player.play(Self.cadence([2000], level: -9), number: 2)
        player.render(4800)
        player.stop(1)
        player.render(4800)
        let rest = Array(player.samples.suffix(2400))
        #expect(Component(near: 2000, in: rest[...], rate: 48_000).amplitude > 0.2)
        #expect(Component(near: 440, in: rest[...], rate: 48_000).amplitude < 0.001)
        player.stop(2)
        player.stop(3)
        player.render(4800)
        #expect(player.isSilent)
    }

    @Test func fifthSoundIsDroppedUntilOneEnds() {
        let player = Player()
        for number in 0..<4 { #expect(player.play(Self.ringback, number: UInt64(number))) }
        #expect(!player.play(Self.ringback, number: 4))
        player.render(480)
        player.stop(2)
        player.render(480)
        #expect(player.play(.keyClick, number: 5))
    }

    @Test func onlyEndlessSoundsWaitForDevice() {
        let player = Player()
        player.play(Self.ringback)
        player.play(.errorTone)
        player.press(.one)
        player.render(480)
        player.renderer.discard()
        #expect(!player.isSilent)
        player.render(48_000)
        #expect(Component(near: 620, in: player.samples.suffix(4800), rate: 48_000).amplitude < 0.001)
        player.stop(0)
        player.renderer.discard()
        #expect(player.isSilent)
    }

    /// Under ThreadSanitizer this also proves that callers and audio thread need no lock.
    @Test(arguments: Seeds.all) func otherThreadStartsAndStopsSounds(seed: UInt64) {
        // It is released after both threads have ended; each uses its own side of it.
        nonisolated(unsafe) let player = Player()
        let writer = Beside {
            var random = SplitMix64(seed: seed)
            for number in 0..<400 {
                player.play(
                    [.keyClick, Self.ringback].randomElement(using: &random) ?? .keyClick,
                    number: UInt64(number))
                player.press(.five)
                player.stop(UInt64.random(in: 0...UInt64(number), using: &random))
                player.release()
            }
            for number in 0..<400 { player.stop(UInt64(number)) }
        }
        while !writer.isOver { _ = player.renderer.render(240, MixSettings(keys: 0.3)) }
        player.renderer.keyTones.discard()
        for _ in 0..<200 { _ = player.renderer.render(480, MixSettings(keys: 0.3)) }
        #expect(player.isSilent)
    }
}

/// A job on its own thread.
private final class Beside: Sendable {
    private let hasEnded = Atomic(false)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            body()
            self.hasEnded.store(true, ordering: .releasing)
        }
    }

    var isOver: Bool { hasEnded.load(ordering: .acquiring) }
}

/// Tests of pulse dialling with the keys.
@Suite struct PulsedKeysTests {
    private static let rate = 48_000

    /// Returns the times of the clicks, in milliseconds: contacts that open or close.
    private func clicks(_ samples: [Int16]) -> [Int] {
        Bursts(samples, rate: Self.rate, gap: 0.008).ranges.map { $0.lowerBound * 1000 / Self.rate }
    }

    @Test(arguments: DTMFKey.allCases) func digitProducesMatchingPulseCount(_ key: DTMFKey) {
        let player = Player()
        player.isPulsed = true
        player.press(key)
        player.release()
        player.renderAll()
        let count = key.rawValue > 9 ? 0 : key == .zero ? 10 : Int(key.rawValue)
        let times = clicks(player.samples)
        #expect(times.count == 2 * count, "one click as the line opens, one as it closes")
        for (pulse, time) in stride(from: 0, to: times.count - 1, by: 2).map({ times[$0] }).enumerated() {
            #expect(abs(time - times[0] - pulse * 100) <= 1, "ten pulses a second")
        }
        for index in stride(from: 0, to: times.count - 1, by: 2) {
            #expect(abs(times[index + 1] - times[index] - 60) <= 1, "open for 60 ms")
        }
    }

    @Test func quicklyTypedDigitsKeepOrderAndPause() {
        let player = Player()
        player.isPulsed = true
        for key in [DTMFKey.three, .star, .one] {
            player.press(key)
            player.release()
        }
        player.renderAll()
        let times = clicks(player.samples)
        #expect(times.count == 8)
        #expect(abs(times[6] - times[5] - 800) <= 1, "800 ms from the last contact to the next digit")
    }

    @Test func pauseIncludesDeviceIdleTime() {
        let player = Player()
        player.isPulsed = true
        player.press(.one)
        player.release()
        player.renderAll()
        let frame = player.samples.count
        player.renderer.keyTones.recordSilence(Self.rate * 300 / 1000)
        player.press(.one)
        player.renderAll()
        let next = clicks(Array(player.samples[frame...]))[0]
        #expect(abs(next - 470) <= 1, "of 770 ms after the sound's end 300 have gone by")
    }

    @Test func keysReturnToTonesOnNextPress() {
        let player = Player()
        player.isPulsed = true
        player.press(.one)
        player.release()
        player.render(1000)
        player.isPulsed = false
        player.press(.five)
        player.render(60_000)
        player.release()
        player.renderAll()
        #expect(key(of: player.bursts.sounds.last ?? []) == .five)
    }
}
