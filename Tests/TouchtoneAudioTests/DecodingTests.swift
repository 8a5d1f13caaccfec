// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import TouchtoneAudio
import TouchtoneCore
import XCTest

/// Tests that independent decoders recognize the output of ALSA's default device.
final class DecodingTests: SoundTestCase {
    private static let allKeys = "0123456789*#ABCD"

    func testEachKeyIsDecoded() throws {
        let samples = try recording { engine, recorder in
            for key in DTMFKey.allCases {
                self.press(key, engine, for: 0.1, on: recorder)
                recorder.pass(0.1)
            }
        }
        try assertDecoded(samples, Self.allKeys)
    }

    func testTenPressesPerSecondOfFiftyMillisecondsAreDecoded() throws {
        let keys = Array("5551234567890*#ABCD8675309").compactMap { DTMFKey($0) }
        let samples = try recording { engine, recorder in
            for key in keys {
                self.press(key, engine, for: 0.05, on: recorder)
                recorder.pass(0.05)
            }
        }
        try assertDecoded(samples, String(keys.map(\.character)))
    }

    func testSimultaneousKeysAreDecodedInOrder() throws {
        let keys = Array("8675309").compactMap { DTMFKey($0) }
        let samples = try recording { engine, _ in
            for key in keys {
                engine.start(key)
                engine.stop()
            }
        }
        try assertDecoded(samples, "8675309")
        let bursts = Bursts(samples, rate: 48_000)
        for gap in bursts.gaps { XCTAssertGreaterThanOrEqual(gap, 2400, "a pause is shorter than 50 ms") }
        for range in bursts.ranges {
            XCTAssertGreaterThanOrEqual(range.count, 2400, "a tone is shorter than 50 ms")
        }
    }

    func testOverlappingKeysAreDecoded() throws {
        // The next key is pressed before the last is released, as fast typists do.
        let keys = Array("147*2580").compactMap { DTMFKey($0) }
        let samples = try recording { engine, recorder in
            for key in keys {
                engine.start(key)
                recorder.pass(0.11)
            }
            engine.stop()
        }
        try assertDecoded(samples, "147*2580")
    }

    func testHeldKeyIsOneToneWithoutGap() throws {
        let samples = try recording { engine, recorder in
            self.press(.five, engine, for: 3, on: recorder)
        }
        try assertDecoded(samples, "5")
        let bursts = Bursts(samples, rate: 48_000, gap: 0.001)
        XCTAssertEqual(bursts.ranges.count, 1)
        XCTAssertEqual(Double(bursts.ranges[0].count) / 48_000, 3, accuracy: 0.06)
        XCTAssertLessThanOrEqual(
            greatestStep(samples), steepestStep(.five, peak: Level.standard.amplitude, rate: 48_000))
    }

    func testDecodersDetectOnlySoundingKey() throws {
        for key in DTMFKey.allCases {
            let samples = KeyToneScore([key]).samples(rate: 48_000)
            try assertDecoded(samples, String(key.character))
        }
    }

    func testTonegenKeysAreDecoded() throws {
        let keys = "5551234*#0986ABCD7"
        for rate in ["8000", "44100", "48000"] {
            try TemporaryFolder.with { folder in
                let file = "\(folder.path)/keys.wav"
                let tonegen = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                    .appendingPathComponent("tonegen").path
                _ = try output(
                    of: [tonegen, "--digits", keys, "--on", "55", "--off", "50", "--rate", rate, file])
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
                let samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
                    Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
                }
                try assertDecoded(samples, keys, rate: Int(rate) ?? 0)
            }
        }
    }

    func testDecodersRejectPairOffByFourPercent() throws {
        for factor in [0.96, 1.04] {
            try assertDecoded(pair(770 * factor, 1336 * factor), "")
        }
        try assertDecoded(pair(770, 1336), "5")
    }

    /// Returns a pair made without the synthesizer: 200 ms, surrounded by silence.
    private func pair(_ low: Double, _ high: Double) -> [Int16] {
        let silence = [Int16](repeating: 0, count: 4800)
        let tone = (0..<9600).map { frame in
            let angle = 2 * Double.pi * Double(frame) / 48_000
            return Int16(8000 * (sin(angle * low) + sin(angle * high)))
        }
        return silence + tone + silence
    }

    /// Returns the recording of `body`'s output, up to the end of its last sound.
    private func recording(_ body: (AudioEngine, SoundRecorder) -> Void) throws -> [Int16] {
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        engine.setReady(true)
        body(engine, recorder)
        XCTAssert(recorder.waitForSound())
        XCTAssert(recorder.waitForSilence(0.3))
        let (samples, underruns) = (recorder.end(), engine.underruns)
        XCTAssertEqual(underruns, 0)
        return samples
    }

    private func assertDecoded(
        _ samples: [Int16], _ keys: String, rate: Int = 48_000, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        // Decoders process whole blocks, and need the end of the last tone.
        let samples = samples + [Int16](repeating: 0, count: rate / 5)
        XCTAssertEqual(
            try peer { try Decoders.multimon(samples, rate: rate) }, keys, "multimon-ng", file: file,
            line: line)
        XCTAssertEqual(
            try peer { try Decoders.spandsp(samples, rate: rate) }, keys, "spandsp", file: file, line: line)
    }
}
