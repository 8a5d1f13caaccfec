// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import RecordedSound
import Testing

/// Tests of what the far end hears of the answering machine, and of when it ends.
@Suite struct MachineSoundTests {
    private static let rate = 8_000
    private var machine = MachineSound(limit: 60)
    private var heard: [Int16] = []

    /// Lets time go by in ticks of 10 ms, in which the far end says a tone, or nothing.
    private mutating func pass(_ seconds: Double, saying isLoud: Bool = false, rate: Int = rate) {
        for tick in 0..<Int((seconds * 100).rounded()) {
            var samples = [Int16](repeating: 7, count: rate / 100)
            samples.withUnsafeMutableBufferPointer { machine.play(into: $0, rate: rate) }
            heard += samples
            let said = (0..<rate / 100).map {
                isLoud ? Int16(4_000 * sin(Double(tick * rate / 100 + $0) / 3)) : 20
            }
            _ = said.withUnsafeBufferPointer { machine.hear($0, rate: rate) }
        }
    }

    private mutating func record() {
        machine.begin()
        machine.setGreeting([1_000, -1_000], rate: Self.rate)
        pass(1.4)
        #expect(machine.step == .recording)
    }

    @Test mutating func greetingAndToneAreHeardInOrder() {
        pass(1)
        #expect(heard.allSatisfy { $0 == 0 }, "the call has no sound yet")
        machine.begin()
        pass(1)
        #expect(heard.allSatisfy { $0 == 0 }, "the greeting is not known yet")
        machine.setGreeting([Int16](repeating: 1_234, count: Self.rate), rate: Self.rate)
        heard = []
        pass(3)
        let greeting = heard.indices.filter { heard[$0] == 1_234 }
        #expect(abs((greeting.first ?? 0) - Self.rate / 2) <= 1)
        #expect(greeting.count >= Self.rate)
        let tone = heard[(Self.rate * 175 / 100 + 2)..<(Self.rate * 225 / 100)]
        let crossings = zip(tone, tone.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect((498...501).contains(crossings), "1 kHz for half a second")
        #expect(heard[(Self.rate * 226 / 100)...].allSatisfy { $0 == 0 })
        #expect(machine.step == .recording)
    }

    @Test mutating func silenceEndsIt() {
        record()
        pass(9)
        #expect(machine.end == nil)
        pass(1.1)
        #expect((machine.step, machine.end) == (.over, .silence))
    }

    @Test mutating func speechDelaysTheEnd() {
        record()
        for _ in 0..<3 {
            pass(9)
            pass(0.2, saying: true)
            #expect(machine.end == nil)
        }
        pass(10.1)
        #expect(machine.end == .silence)
    }

    @Test mutating func limitEndsItWithTwoTones() {
        record()
        pass(59.7, saying: true)
        #expect(machine.end == nil)
        heard = []
        pass(1, saying: true)
        #expect((machine.step, machine.end) == (.over, .limit))
        let loud = stride(from: 0, to: heard.count - 80, by: 80).map { start in
            heard[start..<start + 80].contains { abs(Int($0)) > 4_000 }
        }
        let begins = zip(loud, loud.dropFirst()).count { !$0 && $1 }
        #expect(begins == 2)
    }

    @Test mutating func hashEndsGreetingAndRecording() {
        machine.begin()
        machine.setGreeting([Int16](repeating: 1_234, count: 60 * Self.rate), rate: Self.rate)
        pass(1)
        for key in "0123456789*ABCD" { machine.press(key) }
        #expect(machine.step == .greeting)
        machine.press("#")
        #expect(machine.step == .tone)
        for _ in 0..<1_000 { machine.press("#") }
        #expect(machine.step == .tone)
        pass(0.6)
        machine.press("5")
        #expect(machine.step == .recording)
        machine.press("#")
        machine.press("#")
        #expect((machine.step, machine.end) == (.over, .key))
    }

    /// Another format may come in the middle of the greeting.
    @Test mutating func rateMayChange() {
        machine.begin()
        machine.setGreeting([Int16](repeating: 1_234, count: Self.rate), rate: Self.rate)
        pass(1)
        machine.setGreeting([Int16](repeating: 1_234, count: 48_000), rate: 48_000)
        heard = []
        pass(1, rate: 48_000)
        #expect(abs(heard.count { $0 == 1_234 } - 24_000) < 100, "the second half of it")
    }

    @Test mutating func giveUpEndsItInEachStep() {
        machine.giveUp()
        #expect((machine.step, machine.end) == (.over, .silence))
        machine.begin()
        #expect(machine.step == .over)
    }

    @Test mutating func onlyTheRecordingTakesSound() {
        let silence = [Int16](repeating: 0, count: 80)
        machine.begin()
        #expect(!silence.withUnsafeBufferPointer { machine.hear($0, rate: Self.rate) })
        record()
        #expect(silence.withUnsafeBufferPointer { machine.hear($0, rate: Self.rate) })
        machine.press("#")
        #expect(!silence.withUnsafeBufferPointer { machine.hear($0, rate: Self.rate) })
    }

    @Test func toneOfRecordingsIsRepeated() {
        var tone = RecordingTone()
        var samples = [Int16](repeating: 32_000, count: Self.rate * 31)
        samples.withUnsafeMutableBufferPointer { tone.add(to: $0, rate: Self.rate) }
        let changed = samples.indices.filter { samples[$0] != 32_000 }
        let starts = zip([-Self.rate] + changed, changed).filter { $1 - $0 > Self.rate }.map(\.1)
        #expect(starts.map { $0 / Self.rate } == [0, 15, 30])
        #expect(samples.max() == 32_767)
    }
}
