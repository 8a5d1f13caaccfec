// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of recording and playing voice messages.
///
/// The microphone of the tests' sound server records the server's output.
final class VoiceTests: SoundTestCase {
    private let failures = Counter()

    private func engine(device: String = "default") -> AudioEngine { AudioEngine(device: device) { _ in } }

    /// Blocks until an asynchronous body has ended, and returns its result.
    private func awaited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws
        -> Value
    {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            let value: Result<Value, any Error>
            do { value = .success(try await body()) } catch { value = .failure(error) }
            result.withLock { $0 = value }
            ended.signal()
        }
        ended.wait()
        return try XCTUnwrap(result.withLock { $0 }).get()
    }

    private func record(_ engine: AudioEngine) -> any VoiceRecording {
        engine.record { [failures] in failures.add() }
    }

    /// Returns a recording of the key 5, which lasts for 0.3 s of 0.8 s.
    private func recordFive() throws -> [UInt8] {
        let recorder = try soundServer().record()
        let engine = engine()
        let recording = record(engine)
        try waitForMicrophone(1)
        recorder.pass(0.3)
        press(.five, engine, for: 0.3, on: recorder)
        recorder.pass(0.2)
        let bytes = try XCTUnwrap(awaited { await recording.finish() })
        try waitForMicrophone(0)
        XCTAssertEqual(failures.count, 0)
        return bytes
    }

    func testRecordingIsDecodedByOpusTools() throws {
        let bytes = try recordFive()
        XCTAssertLessThan(bytes.count, 12_000, "speech takes about 4 kB a second")
        try peer {
            for program in ["opusdec", "opusinfo"] { try Peer.require(program, package: "opus-tools") }
        }
        try TemporaryFolder.with { folder in
            let (path, decoded) = (try folder.write(bytes, "voice.ogg"), "\(folder.path)/voice.wav")
            let info = try output(of: ["opusinfo", path])
            XCTAssert(info.contains("Channels: 1"), info)
            XCTAssertFalse(info.contains("WARNING"), info)
            _ = try output(of: ["opusdec", "--quiet", "--rate", "48000", path, decoded])
            XCTAssertEqual(try Decoders.multimon(file: decoded), "5")
        }
    }

    func testRecordingIsPlayed() throws {
        let bytes = try recordFive()
        try TemporaryFolder.with { folder in
            let path = try folder.write(bytes, "voice.ogg")
            let recorder = try soundServer().record()
            let engine = engine()
            let ends = Counter()
            let voice = try awaited { try await engine.play(file: path, from: .zero) { ends.add() } }
            XCTAssertGreaterThan(voice.length, .milliseconds(500))
            try withExtendedLifetime(voice.playback) {
                XCTAssert(recorder.waitForSound())
                XCTAssert(ends.wait(for: 1))
                recorder.pass(0.5)
                XCTAssertEqual(try Decoders.multimon(recorder.end()), "5")
                XCTAssertEqual(ends.count, 1)
            }
        }
    }

    func testPlaybackEndsWhenItIsStopped() throws {
        let long = KeyToneScore([DTMFKey](repeating: .five, count: 15)).samples(rate: 8000)
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: long, rate: 8000), "long.wav")
            let recorder = try soundServer().record()
            let engine = engine()
            let ends = Counter()
            let voice = try awaited { try await engine.play(file: path, from: .zero) { ends.add() } }
            XCTAssert(recorder.waitForSound())
            let stopped = recorder.samples.count
            voice.playback.stop()
            voice.playback.stop()
            XCTAssert(recorder.waitForSilence(0.3))
            XCTAssertLessThan(recorder.end().count - stopped, 3 * 48_000, "all of it takes six seconds")
            XCTAssertEqual(ends.count, 0, "it was stopped")
        }
    }

    func testPlaybackBeginsWhereItIsMoved() throws {
        // A key every 0.4 s, at a rate that is converted.
        let digits = KeyToneScore([.one, .two, .three, .four, .five, .six, .seven, .eight])
        let samples = digits.samples(rate: 22_050)
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: samples, rate: 22_050), "keys.wav")
            let recorder = try soundServer().record()
            let engine = engine()
            let half = Duration.milliseconds(samples.count * 1000 / 22_050 / 2)
            let ends = Counter()
            let voice = try awaited { try await engine.play(file: path, from: half) { ends.add() } }
            try withExtendedLifetime(voice.playback) {
                XCTAssert(recorder.waitForSound())
                XCTAssert(ends.wait(for: 1))
                recorder.pass(0.5)
                XCTAssertEqual(try Decoders.multimon(recorder.end()), "5678")
            }
        }
    }

    func testPlaybackEndsWithItsObject() throws {
        let long = KeyToneScore([DTMFKey](repeating: .five, count: 15)).samples(rate: 8000)
        try TemporaryFolder.with { folder in
            let path = try folder.write(WAVFile(samples: long, rate: 8000), "long.wav")
            let recorder = try soundServer().record()
            let engine = engine()
            // More than may play at once.
            for _ in 0..<20 {
                XCTAssertNoThrow(_ = try awaited { try await engine.play(file: path, from: .zero) {} })
            }
            XCTAssert(recorder.waitForSilence(0.3))
            XCTAssertLessThan(recorder.end().count, 5 * 48_000, "all of it takes six seconds")
        }
    }

    func testRecordingWithoutSamplesIsNothing() throws {
        let server = try soundServer()
        server.kill()
        defer { try? server.start() }
        let recording = record(engine())
        XCTAssert(failures.wait(for: 1))
        XCTAssertNil(try awaited { await recording.finish() })
        XCTAssertEqual(failures.count, 1)
    }

    func testDiscardedRecordingReleasesMicrophone() throws {
        _ = try soundServer()
        let recording = record(engine())
        try waitForMicrophone(1)
        recording.discard()
        recording.discard()
        try waitForMicrophone(0)
        XCTAssertEqual(failures.count, 0)
    }
}
