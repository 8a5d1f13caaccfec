// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Testing
import TouchtoneCore

@testable import TouchtoneAudio

@Suite struct OscillatorTests {
    @Test(arguments: [697.0, 1633.0], [8000.0, 44_100.0, 192_000.0])
    func followsSineForMinute(_ frequency: Double, _ rate: Double) {
        var oscillator = Oscillator(frequency: frequency, rate: rate)
        var greatest = 0.0
        for frame in 0..<Int(60 * rate) {
            let value = oscillator.next()
            if frame % 997 == 0 {
                let phase = (frequency * Double(frame) / rate).truncatingRemainder(dividingBy: 1)
                greatest = max(greatest, abs(value - sin(2 * .pi * phase)))
            }
            if frame % 4096 == 0 { oscillator.normalise() }
        }
        #expect(greatest < 1e-7)
    }

    @Test func envelopeRisesAndFallsSmoothly() {
        for rate in [8000.0, 48_000, 192_000] {
            var envelope = Envelope(rate: rate)
            let rise = (0..<envelope.rampFrames).map { _ in envelope.next() }
            #expect(rise[0] == 0)
            #expect(zip(rise, rise.dropFirst()).allSatisfy { $0 < $1 })
            #expect(envelope.next() == 1)
            envelope.fall()
            let fall = (0..<envelope.rampFrames).map { _ in envelope.next() }
            #expect(fall[0] == 1)
            #expect(zip(fall, fall.dropFirst()).allSatisfy { $0 > $1 })
            #expect(envelope.isOver)
            #expect(envelope.next() == 0)
            let time = Double(rise.filter { (0.1...0.9).contains($0) }.count) / rate
            #expect(abs(time - 0.0025) < 1.5 / rate)
        }
    }

    @Test func levelIsClampedToItsRange() {
        #expect(Level(decibels: 3).decibels == 0)
        #expect(Level(decibels: -300).decibels == -40)
        #expect(Level(decibels: .infinity).decibels == 0)
        #expect(Level(decibels: -.infinity).decibels == -40)
        #expect(Level(decibels: .nan).decibels == -40)
        #expect(Level(decibels: 0).amplitude == 1)
        #expect(abs(Level(decibels: -20).amplitude - 0.1) < 1e-12)
    }

    @Test(arguments: DTMFKey.allCases) func loudestPairDoesNotClip(_ key: DTMFKey) {
        var pair = TonePair(key, rate: 48_000)
        let peak = (0..<480_000).reduce(0.0) { peak, _ in max(peak, abs(pair.next())) }
        #expect(peak < 1 + 1e-9 && peak > 0.99)
    }

    @Test func scoreHasItsStatedLength() {
        var score = KeyToneScore([.one, .two])
        score.tone = 0.2
        score.pause = 0.07
        #expect(score.samples(rate: 8000).count == 1600 + 560 + 1600)
        #expect(KeyToneScore([]).samples(rate: 8000).isEmpty)
        score.tone = 0
        score.pause = -1
        #expect(score.samples(rate: 48_000).count >= 2 * 2400 + 2400)
    }
}
