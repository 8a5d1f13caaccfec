// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

/// Tests of bell, warble, clicks and pulses, and of the properties that all sounds share.
@Suite struct PhoneSoundTests {
    private static let rate = 48_000
    private static let all: [PhoneSound] = [
        .bell, .ding, .warble, .keyClick, .errorTone, .pulses([.one, .zero]), howler,
    ]

    /// The loudest possible cadence.
    private static let howler: PhoneSound = {
        let tones = [1400.0, 2060, 2450, 2600].compactMap { Cadence.Tone(frequency: $0, level: -9) }
        return .cadence(Cadence([Cadence.Segment(tones, milliseconds: 1000)].compactMap { $0 }) ?? .silence)
    }()

    @Test func bellStrikesTwentyTimesPerSecondForTwoOfSixSeconds() {
        let samples = SoundScore(.bell).samples(rate: Self.rate, seconds: 13)
        for ring in 0...1 {
            let begin = ring * 6 * Self.rate
            for stroke in 0..<60 {
                let frame = begin + stroke * Self.rate / 20
                let before = frame > 0 ? power(samples[frame - 240..<frame]) : 0
                let isStruck = power(samples[frame..<frame + 240]) > 1.3 * before + 1
                #expect(isStruck == (stroke < 40), "stroke \(stroke) of ring \(ring)")
            }
            #expect(samples[begin] == 0 && samples[begin + 1] != 0, "the first stroke is late")
        }
        #expect(Array(samples[..<(6 * Self.rate)]) == Array(samples[(6 * Self.rate)..<(12 * Self.rate)]))
        #expect(samples[(5 * Self.rate)..<(6 * Self.rate)].allSatisfy { abs(Int($0)) < 4 }, "it rings on")
    }

    @Test func twoGongsHaveInharmonicPartials() {
        // The first stroke of each gong, before the next one turns the spectrum into a comb of lines.
        let samples = SoundScore(.bell).samples(rate: Self.rate, seconds: 2)
        let strokes = [samples[..<2400], samples[2400..<4800]]
        for (lowest, stroke) in zip([1240.0, 1560], strokes) {
            let main = Component(near: lowest, in: stroke, rate: Self.rate).amplitude
            #expect(main > 0.03)
            let upper = Component(near: lowest * 2.63, in: stroke, rate: Self.rate).amplitude
            #expect(upper > 0.2 * main)
            for harmonic in [2.0, 3, 4] {
                let amplitude = Component(near: lowest * harmonic, in: stroke, rate: Self.rate).amplitude
                #expect(amplitude < 0.3 * upper, "\(lowest) Hz has a harmonic \(harmonic)")
            }
        }
    }

    @Test func dingStrikesEachGongOnceAndDecays() throws {
        let samples = SoundScore(.ding).samples(rate: Self.rate, seconds: 9)
        #expect(samples.count == 2 * Self.rate)
        let second = 140 * Self.rate / 1000
        for (gong, other, frames) in [(1560.0, 1240.0, 0..<2400), (1240, 1560, second..<second + 2400)] {
            let struck = Component(near: gong, in: samples[frames], rate: Self.rate).amplitude
            #expect(struck > 0.05, "\(gong) Hz")
            if gong == 1560 {
                #expect(Component(near: other, in: samples[frames], rate: Self.rate).amplitude < struck / 4)
            }
        }
        #expect(power(samples[second..<second + 240]) > power(samples[second - 240..<second]))
        #expect(samples.suffix(Self.rate / 10).allSatisfy { abs(Int($0)) < 8 }, "it ends with a click")
    }

    @Test(arguments: [8000, 44_100, 48_000]) func warbleAlternatesForTwoOfSixSeconds(_ rate: Int) {
        let samples = SoundScore(.warble).samples(rate: rate, seconds: 9)
        let turn = rate * 40 / 1000
        for index in 0..<50 {
            let part = samples[index * turn..<(index + 1) * turn].dropFirst(rate / 200).dropLast(rate / 200)
            let nominal = index % 2 == 0 ? 1010.0 : 808
            let found = Component(near: nominal, in: part, rate: rate).frequency
            #expect(abs(found / nominal - 1) < 0.001, "turn \(index) has \(found) Hz")
        }
        let millisecond = rate / 1000
        #expect(samples[..<millisecond].contains { $0 != 0 }, "it begins late")
        #expect(samples[(2 * rate - millisecond)..<(2 * rate)].contains { $0 != 0 }, "it ends early")
        #expect(samples[(2 * rate)..<(6 * rate)].allSatisfy { $0 == 0 })
        #expect(Array(samples[..<(2 * rate)]) == Array(samples[(6 * rate)..<(8 * rate)]))
    }

    @Test func warbleHasOnlySquareWaveHarmonics() {
        let samples = SoundScore(.warble).samples(rate: Self.rate, seconds: 1)[300..<1900]
        let first = Component(near: 1010, in: samples, rate: Self.rate).amplitude
        for harmonic in 2...9 {
            let found =
                Component(near: 1010 * Double(harmonic), in: samples, rate: Self.rate).amplitude / first
            let expected = [3, 5, 7].contains(harmonic) ? 1 / Double(harmonic) : 0
            #expect(abs(found - expected) < 0.01, "harmonic \(harmonic)")
        }
    }

    @Test(arguments: [8000, 48_000]) func digitProducesMatchingPulseCount(_ rate: Int) {
        for (keys, counts) in [
            ([DTMFKey.one], [1]), ([.zero], [10]), ([.five, .five, .five, .zero], [5, 5, 5, 10]),
            ([.two, .star, .pound, .a, .three], [2, 3]),
        ] {
            let samples = SoundScore(.pulses(keys)).samples(rate: rate, seconds: 60)
            var expected: [Int] = []
            var time = 0
            for count in counts {
                for pulse in 0..<count { expected += [time + pulse * 100, time + pulse * 100 + 60] }
                // The last make comes 60 ms after the last break, and is followed by 800 ms of silence.
                time += (count - 1) * 100 + 60 + 800
            }
            #expect(clicks(samples, rate: rate) == expected.map { $0 * rate / 1000 })
            #expect(samples.count == ((expected.last ?? 0) + 30) * rate / 1000)
        }
        #expect(SoundScore(.pulses([.star])).samples(rate: rate, seconds: 60).isEmpty)
        let many = [DTMFKey](repeating: .one, count: 70)
        #expect(clicks(SoundScore(.pulses(many)).samples(rate: rate, seconds: 99), rate: rate).count == 128)
    }

    @Test func keyClickIsShort() {
        let samples = SoundScore(.keyClick).samples(rate: Self.rate, seconds: 1)
        #expect(samples.count == Self.rate * 30 / 1000)
        #expect(clicks(samples, rate: Self.rate) == [0])
        #expect(samples.suffix(Self.rate / 100).allSatisfy { abs(Int($0)) <= 12 }, "it is heard for too long")
    }

    @Test func errorToneIsThreeBeeps() {
        let samples = SoundScore(.errorTone).samples(rate: Self.rate, seconds: 9)
        #expect(samples.count == Self.rate * 420 / 1000)
        let bursts = Bursts(samples, rate: Self.rate)
        #expect(bursts.ranges.count == 3)
        for (index, range) in bursts.ranges.enumerated() {
            #expect(abs(range.lowerBound - index * 6720) < 30 && abs(range.count - 3840) < 60)
        }
        #expect(abs(Component(near: 620, in: samples[300..<3540], rate: Self.rate).frequency - 620) < 0.62)
    }

    @Test(arguments: all.indices, [8000, 44_100, 48_000])
    func peakMatchesSetting(_ index: Int, _ rate: Int) throws {
        let sound = Self.all[index]
        let voice = SoundVoice(sound, rate: rate)
        #expect(voice.peak > 0 && voice.peak < 1)
        for level in [-40.0, -20, 0] {
            let samples = SoundScore(sound, level: Level(decibels: level)).samples(rate: rate, seconds: 2.5)
            let peak = Double(try #require(samples.map { abs(Int($0)) }.max())) / 32767
            #expect(abs(20 * log10(peak) - level) < 0.3)
        }
        let natural = SoundScore(sound).samples(rate: rate, seconds: 2.5).map { abs(Int($0)) }.max() ?? 0
        #expect(Double(natural) / 32767 <= voice.peak + 1.0 / 32767)
        guard case .cadence = sound else {
            guard sound != .errorTone else { return }
            #expect(abs(20 * log10(voice.peak) + 9) < 0.01)
            return
        }
    }

    @Test(arguments: Seeds.all) func blockLengthDoesNotChangeSound(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2048)
        defer { buffer.deallocate() }
        for sound in Self.all {
            let whole = SoundScore(sound).samples(rate: 8000, seconds: 7)
            var voice = SoundVoice(sound, rate: 8000)
            var samples: [Int16] = []
            while samples.count < 40_000, !voice.isOver {
                let block = UnsafeMutableBufferPointer(
                    rebasing: buffer[..<Int.random(in: 1...2048, using: &random)])
                block.initialize(repeating: 0)
                let end = voice.mix(into: block, gain: 1)
                samples += block[..<end].map { Renderer.sample($0) }
            }
            let difference = zip(whole, samples).map { abs(Int($0) - Int($1)) }.max()
            #expect((difference ?? 9) <= 1)
            #expect(samples.count >= min(40_000, whole.count))
        }
    }

    @Test(arguments: all.indices) func stoppedSoundFadesAndEnds(_ index: Int) {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4800)
        defer { buffer.deallocate() }
        buffer.initialize(repeating: 0)
        var voice = SoundVoice(Self.all[index], rate: Self.rate)
        let first = UnsafeMutableBufferPointer(rebasing: buffer[..<960])
        #expect(voice.mix(into: first, gain: 1) == 960)
        voice.stop()
        voice.stop()
        let fade = Envelope(rate: Double(Self.rate)).rampFrames
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[960...])
        #expect(voice.mix(into: rest, gain: 1) == fade)
        #expect(voice.isOver)
        #expect(voice.mix(into: rest, gain: 1) == 0)
        #expect(buffer[(960 + fade)...].allSatisfy { $0 == 0 })
        // The last frames are so soft that stopping there causes no click.
        #expect(buffer[(960 + fade - 2)..<(960 + fade)].allSatisfy { abs($0) < 0.002 })
    }

    private func power(_ samples: ArraySlice<Int16>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    /// Returns the starts of clicks: the last silent frame before each, after silence of at least 20 ms.
    private func clicks(_ samples: [Int16], rate: Int) -> [Int] {
        var clicks: [Int] = []
        var last = -rate
        for (frame, sample) in samples.enumerated() where abs(Int(sample)) > 100 {
            if frame - last > rate / 50 {
                clicks.append(samples[..<frame].lastIndex { abs(Int($0)) <= 1 } ?? frame)
            }
            last = frame
        }
        return clicks
    }
}
