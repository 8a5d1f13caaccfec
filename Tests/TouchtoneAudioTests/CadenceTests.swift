// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

/// Tests of the network sounds: frequencies, levels and times.
@Suite struct CadenceTests {
    private static let plans = ["de", "fr", "gb", "it", "itu", "jp", "us"]

    @Test(arguments: plans, NetworkSound.allCases)
    func soundMatchesItsPlan(_ name: String, _ sound: NetworkSound) throws {
        try check(plan(name)[sound], rate: 8000)
    }

    @Test(arguments: [44_100, 48_000]) func soundIsSameAtHigherRates(_ rate: Int) throws {
        for sound in [NetworkSound.dial, .ringback, .specialInformation, .offHook] {
            try check(plan("us")[sound], rate: rate)
        }
        try check(plan("jp")[.ringback], rate: rate)
    }

    @Test func measurementDetectsErrors() {
        let samples = (0..<4800).map { frame in
            let angle = 2 * Double.pi * Double(frame) / 48_000
            return Int16(8000 * sin(angle * 440.9) + 4000 * sin(angle * 480))
        }
        let found = Component(near: 440, in: samples, rate: 48_000)
        #expect(abs(found.frequency - 440.9) < 0.2)
        #expect(abs(found.amplitude - 8000 / 32767) < 0.02)
    }

    @Test(arguments: [8000, 11_025, 44_100, 48_000, 192_000])
    func timingIsExactToTheSample(_ rate: Int) throws {
        // 375 ms are not a whole number of frames at 44.1 kHz, nor are 33 ms at the lower rates except 8 kHz.
        let tone = try #require(Cadence.Tone(frequency: 400, level: -10))
        let on = try #require(Cadence.Segment([tone], milliseconds: 375))
        let off = try #require(Cadence.Segment([], milliseconds: 33))
        var source = CadenceSource(try #require(Cadence([on, off])), rate: rate)
        var time = 0
        var frame = 0
        for _ in 0..<20 {
            let end = nearestFrame(time + 375, rate)
            let next = nearestFrame(time + 408, rate)
            let sound = (frame..<end).map { _ in source.next() }
            #expect(sound[0] == 0 && sound[1] != 0 && sound[sound.count - 1] != 0)
            #expect((end..<next).allSatisfy { _ in source.next() == 0 })
            frame = next
            time += 408
        }
    }

    @Test func cadenceEndsAfterItsLastCycle() throws {
        let tone = try #require(Cadence.Tone(frequency: 400, level: -10))
        let on = try #require(Cadence.Segment([tone], milliseconds: 101))
        let off = try #require(Cadence.Segment([], milliseconds: 50))
        for (cycles, length) in [(1, 151), (3, 453)] {
            let score = SoundScore(.cadence(try #require(Cadence([on, off], cycles: cycles))))
            #expect(score.samples(rate: 44_100, seconds: 60).count == nearestFrame(length, 44_100))
        }
        let endless = SoundScore(.cadence(try #require(Cadence([on, off]))))
        #expect(endless.samples(rate: 8000, seconds: 60).count == 480_000)
        #expect(SoundScore(.cadence(.silence)).samples(rate: 8000, seconds: 60).isEmpty)
    }

    @Test func continuousToneHasNoGap() throws {
        let samples = SoundScore(.cadence(try plan("us")[.dial])).samples(rate: 8000, seconds: 30)
        // The beat frequency is 90 Hz, so the sum comes near its peak in every 12 ms.
        let peak = try #require(samples.map { abs(Int($0)) }.max())
        for first in stride(from: 80, to: samples.count - 180, by: 96) {
            #expect(samples[first..<first + 96].contains { abs(Int($0)) > peak / 2 }, "at \(first)")
        }
    }

    @Test(arguments: plans) func soundHasNoClicks(_ name: String) throws {
        let rate = 48_000
        let rampSlope = Double.pi / 2 / Double(Envelope(rate: Double(rate)).rampFrames)
        for sound in [NetworkSound.busy, .specialInformation, .offHook] {
            let cadence = try plan(name)[sound]
            let samples = SoundScore(.cadence(cadence)).samples(rate: rate, seconds: 1.5)
            let bound = try #require(
                cadence.segments.map { segment in
                    segment.tones.reduce(1.0 / 32767) { sum, tone in
                        let slope = 2 * Double.pi * tone.frequency / Double(rate) + rampSlope
                        return sum + pow(10, (tone.level - 3.14) / 20) * slope
                    }
                }.max())
            #expect(greatestStep([0] + samples + [0]) <= bound, "\(sound)")
        }
    }

    /// Measures the first cycle, and the start of the next.
    private func check(_ cadence: Cadence, rate: Int) throws {
        let seconds = Double(cadence.segments.reduce(0) { $0 + ($1.milliseconds ?? 1000) }) / 1000
        let samples = SoundScore(.cadence(cadence)).samples(rate: rate, seconds: seconds + 0.5)
        let ramp = Envelope(rate: Double(rate)).rampFrames
        var time = 0
        for segment in cadence.segments {
            let begin = nearestFrame(time, rate)
            time += segment.milliseconds ?? 1000
            let part = samples[begin..<nearestFrame(time, rate)]
            guard !segment.tones.isEmpty else {
                #expect(part.allSatisfy { $0 == 0 }, "a silence is not silent at \(rate) Hz")
                continue
            }
            // A few seconds are enough to measure.
            let steady = part.dropFirst(ramp).dropLast(ramp).prefix(2 * rate)
            for tone in segment.tones {
                let found = Component(near: tone.frequency, in: steady, rate: rate)
                #expect(
                    abs(found.frequency / tone.frequency - 1) < 0.001,
                    "\(tone.frequency) Hz is \(found.frequency)")
                #expect(
                    abs(found.level - (tone.level - 3.14)) < 0.3, "\(tone.level) dBm0 is \(found.level) dBFS")
            }
            // The sound is measurable from the first millisecond to the last, because attack and release take 4 ms.
            #expect(
                part.prefix(rate / 500).contains { $0 != 0 } && part.suffix(rate / 500).contains { $0 != 0 })
        }
    }

    private func nearestFrame(_ milliseconds: Int, _ rate: Int) -> Int {
        Int((Double(milliseconds) * Double(rate) / 1000).rounded())
    }

    private func plan(_ name: String) throws -> TonePlan {
        let path = "\(Checkout.folder)/data/tone-plans/\(name).plan"
        return try TonePlan([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
}
