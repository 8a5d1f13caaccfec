// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneAudio
import TouchtoneCore
import XCTest

/// Measurements of the tones: frequency, level, twist, other components, attack and release.
final class MeasurementTests: SoundTestCase {
    func testSynthesizedTonesAreAccurateAtEveryRate() throws {
        for rate in [8000, 16_000, 44_100, 48_000, 192_000] {
            let tones = DTMFKey.allCases.map { key in
                (samples: KeyToneScore([key]).samples(rate: rate), key: key.character)
            }
            try assertTrue(tones, rate: rate, level: -9)
        }
    }

    func testLevelMatchesSetting() throws {
        for level in stride(from: -40.0, through: 0, by: 10) {
            var score = KeyToneScore([.five])
            score.level = Level(decibels: level)
            let samples = score.samples(rate: 48_000)
            let found = try peer { try Decoders.measure([(samples: samples, key: "5")], rate: 48_000) }
            XCTAssertEqual(found[0].level, level, accuracy: 0.1)
            XCTAssertLessThan(samples.map { abs(Int($0)) }.max() ?? 0, 32767 + 1, "it clips")
        }
    }

    func testRecordedTonesAreAccurate() throws {
        let sounds = try sounds(of: soundServer(), level: -12)
        XCTAssertEqual(sounds.count, 16)
        let tones = zip(sounds, DTMFKey.allCases).map { (samples: $0, key: $1.character) }
        try assertTrue(tones, rate: 48_000, level: -12)
        for tone in tones {
            let key = try XCTUnwrap(DTMFKey(tone.key))
            let bound = steepestStep(key, peak: Level(decibels: -12).amplitude, rate: 48_000)
            XCTAssertLessThanOrEqual(greatestStep([0] + tone.samples + [0]), bound, "\(key) clicks")
        }
    }

    func testRecordedTonesAreAccurateAtOtherRates() throws {
        defer { try? soundServer().use() }
        for rate in [8000, 16_000, 44_100] {
            let server = try peer { try SoundServer(rate: rate) }
            defer { server.end() }
            let sounds = try sounds(of: server, level: -9)
            XCTAssertEqual(sounds.count, 16, "\(rate) Hz")
            let tones = zip(sounds, DTMFKey.allCases).map { (samples: $0, key: $1.character) }
            try assertTrue(tones, rate: rate, level: -9)
        }
    }

    func testBenchDetectsErrors() throws {
        // The frequencies of a key are 0.3 % off, the high tone is as loud as the low one, and there is no attack.
        let samples = (0..<9600).map { frame in
            let angle = 2 * Double.pi * Double(frame) / 48_000 * 1.003
            return Int16(6000 * (cos(angle * 770) + cos(angle * 1336)))
        }
        let found = try peer { try Decoders.measure([(samples: samples, key: "5")], rate: 48_000) }[0]
        XCTAssertEqual(found.low_error, 0.003, accuracy: 0.0001)
        XCTAssertEqual(found.high_error, 0.003, accuracy: 0.0001)
        XCTAssertEqual(found.twist, 0, accuracy: 0.1)
        XCTAssertLessThan(found.rise, 1)
    }

    /// Returns the sounds of all keys from a server and an engine with the given rate.
    private func sounds(of server: SoundServer, level: Double) throws -> [[Int16]] {
        waitForNoAudioThread()
        server.use()
        let recorder = try server.record()
        var configuration = AudioEngine.Configuration()
        configuration.rate = server.rate
        let engine = AudioEngine(configuration) { XCTFail("\($0)") }
        engine.setReady(true)
        engine.setLevel(level)
        // Each step waits for recorded sound: on a loaded machine the recording reaches this thread late, and
        // several keys would be over at once if only its length counted.
        for key in DTMFKey.allCases {
            let before = recorder.samples.count
            engine.start(key)
            XCTAssert(recorder.waitForSound(after: before), "\(key) is not heard")
            recorder.pass(0.25)
            engine.stop()
            XCTAssert(recorder.waitForSilence(0.1), "\(key) goes on")
        }
        return Bursts(recorder.end(), rate: server.rate).sounds
    }

    private func assertTrue(
        _ tones: [(samples: [Int16], key: Character)], rate: Int, level: Double,
        file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let found = try peer { try Decoders.measure(tones, rate: rate) }
        for (tone, found) in zip(tones, found) {
            let what = "\(tone.key) at \(rate) Hz"
            XCTAssertEqual(found.low_error, 0, accuracy: 0.001, what, file: file, line: line)
            XCTAssertEqual(found.high_error, 0, accuracy: 0.001, what, file: file, line: line)
            XCTAssertEqual(found.level, level, accuracy: 0.3, what, file: file, line: line)
            XCTAssertEqual(found.twist, 2, accuracy: 0.3, what, file: file, line: line)
            XCTAssertLessThan(found.spurious, -60, what, file: file, line: line)
            XCTAssert(
                (2...5).contains(found.rise), "\(what) rises in \(found.rise) ms", file: file, line: line)
            XCTAssert(
                (2...5).contains(found.fall), "\(what) falls in \(found.fall) ms", file: file, line: line)
        }
    }
}
