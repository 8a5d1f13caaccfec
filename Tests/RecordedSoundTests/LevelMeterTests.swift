// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import Testing

/// Tests of the level of sound.
@Suite struct LevelMeterTests {
    @Test(arguments: [0.0, -6, -20, -40, -60]) func levelOfToneIsThatOfItsPeak(decibels: Double) throws {
        let level = try #require(levels(of: tone(decibels, seconds: 0.1)).last)
        #expect(abs(level - decibels) < 0.3)
    }

    @Test func silenceHasLeastLevel() {
        #expect(levels(of: [Int16](repeating: 0, count: 1600)) == [LevelMeter.silence])
    }

    @Test func loudestSamplesAreAtFullScale() {
        #expect(levels(of: [Int16](repeating: .min, count: 1600)) == [0])
    }

    @Test func thereAreTenLevelsInSecondHoweverSamplesCome() {
        let samples = tone(-20, seconds: 1)
        var meter = LevelMeter()
        var count = 0
        for begin in stride(from: 0, to: samples.count, by: 37) {
            let part = Array(samples[begin..<min(begin + 37, samples.count)])
            if part.withUnsafeBufferPointer({ meter.level(of: $0, rate: 16_000) }) != nil { count += 1 }
        }
        #expect(count == 10)
    }

    private func levels(of samples: [Int16]) -> [Double] {
        var meter = LevelMeter()
        return samples.withUnsafeBufferPointer { meter.level(of: $0, rate: 16_000) }.map { [$0] } ?? []
    }

    private func tone(_ decibels: Double, seconds: Double) -> [Int16] {
        let peak = 32_767 * pow(10, decibels / 20)
        return (0..<Int(16_000 * seconds)).map { Int16(peak * sin(2 * .pi * 1000 * Double($0) / 16_000)) }
    }
}
