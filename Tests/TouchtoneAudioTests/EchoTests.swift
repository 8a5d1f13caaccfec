// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of the echo, which returns the microphone's input.
///
/// The microphone of the tests' sound server records the server's output, as if it stood beside the loudspeaker: a tone
/// returns again and again, and softer each time.
final class EchoTests: SoundTestCase {
    private let failures = Counter()

    private func engine(device: String = "default") -> AudioEngine { AudioEngine(device: device) { _ in } }

    private func begin(_ engine: AudioEngine, _ delay: Duration = .milliseconds(500)) -> any Echo {
        engine.beginEcho(after: delay) { [failures] in failures.add() }
    }

    func testEchoReturnsAfterHalfSecondAtHalfLevel() throws {
        let recorder = try soundServer().record()
        let engine = engine()
        let echo = begin(engine)
        try waitForMicrophone(1)
        recorder.pass(0.7)
        press(.five, engine, for: 0.1, on: recorder)
        recorder.pass(1.3)
        echo.stop()
        let samples = recorder.end()
        let bursts = Bursts(samples, rate: 48_000)
        XCTAssertGreaterThanOrEqual(bursts.ranges.count, 3)
        for (before, after) in zip(bursts.ranges, bursts.ranges.dropFirst()).prefix(2) {
            let seconds = Double(after.lowerBound - before.lowerBound) / 48_000
            XCTAssertEqual(seconds, 0.5, accuracy: 0.08)
            let ratio = Double(peak(samples[after])) / Double(peak(samples[before]))
            XCTAssertEqual(ratio, EchoSource.gain, accuracy: 0.05)
            XCTAssertEqual(key(of: Array(samples[after])), .five)
        }
        XCTAssertEqual(failures.count, 0)
    }

    func testMuteSilencesEchoUntilUnmuted() throws {
        let recorder = try soundServer().record()
        let engine = engine()
        let echo = begin(engine, .milliseconds(200))
        try waitForMicrophone(1)
        recorder.pass(0.4)
        echo.setMuted(true)
        recorder.pass(0.1)
        press(.five, engine, for: 0.1, on: recorder)
        recorder.pass(0.6)
        XCTAssertEqual(Bursts(recorder.samples, rate: 48_000).ranges.count, 1)
        echo.setMuted(false)
        press(.five, engine, for: 0.1, on: recorder)
        recorder.pass(0.4)
        XCTAssertGreaterThanOrEqual(Bursts(recorder.end(), rate: 48_000).ranges.count, 3)
        echo.stop()
    }

    /// A recording gets what is heard: the key, and half a second later its echo at half its level.
    func testBothSidesAreKept() throws {
        let recorder = try soundServer().record()
        let engine = engine()
        let echo = begin(engine)
        try waitForMicrophone(1)
        XCTAssertEqual(Set(echo.take(100).near), [0], "nothing is kept yet")
        echo.setKept(true)
        recorder.pass(0.7)
        press(.five, engine, for: 0.1, on: recorder)
        recorder.pass(1.3)
        let rate = ExchangeSound.rate
        let sound = echo.take(3 * rate / 2)
        echo.stop()
        XCTAssertEqual(sound.near.count, 3 * rate / 2)
        let (near, far) = (Bursts(sound.near, rate: rate), Bursts(sound.far, rate: rate))
        let (first, answer) = (try XCTUnwrap(near.ranges.first), try XCTUnwrap(far.ranges.first))
        XCTAssertEqual(Double(answer.lowerBound - first.lowerBound) / Double(rate), 0.5, accuracy: 0.01)
        let ratio = Double(peak(sound.far[answer])) / Double(peak(sound.near[first]))
        XCTAssertEqual(ratio, EchoSource.gain, accuracy: 0.02)
        XCTAssertEqual(failures.count, 0)
    }

    func testMicrophoneIsReleasedAndEchoEnds() throws {
        let server = try soundServer()
        let engine = engine()
        for _ in 0..<3 {
            let echo = begin(engine)
            try waitForMicrophone(1)
            echo.stop()
            echo.stop()
            try waitForMicrophone(0)
        }
        let recorder = try server.record()
        engine.start(.five)
        engine.stop()
        XCTAssert(recorder.waitForSound())
        recorder.pass(0.8)
        XCTAssertEqual(Bursts(recorder.end(), rate: 48_000).ranges.count, 1)
        waitForNoThread()
        XCTAssertEqual(failures.count, 0)
    }

    func testReleasedEngineEndsItsEcho() throws {
        _ = try soundServer()
        var engine: AudioEngine? = engine()
        let echo = engine.map { begin($0) }
        try waitForMicrophone(1)
        engine = nil
        echo?.stop()
        waitForNoThread()
        waitForNoAudioThread()
    }

    func testMissingMicrophoneIsReportedOnce() throws {
        let server = try soundServer()
        server.kill()
        defer { try? server.start() }
        let engine = engine()
        let echo = begin(engine)
        XCTAssert(failures.wait(for: 1))
        waitForNoThread()
        echo.stop()
        XCTAssertEqual(failures.count, 1)
    }

    func testServerLostDuringEchoIsReportedOnce() throws {
        let server = try soundServer()
        let engine = engine()
        let echo = begin(engine)
        try waitForMicrophone(1)
        server.kill()
        defer { try? server.start() }
        XCTAssert(failures.wait(for: 1))
        waitForNoThread()
        echo.stop()
        XCTAssertEqual(failures.count, 1)
    }

    func testDefaultReplacesDeviceWithoutMicrophone() throws {
        _ = try soundServer()
        let engine = engine(device: "no such device")
        let echo = begin(engine)
        try waitForMicrophone(1)
        echo.stop()
        XCTAssertEqual(failures.count, 0)
    }

    /// ALSA's `null` supplies silence without limit.
    func testEndlessSilenceUsesNoProcessor() throws {
        let recorder = try soundServer().record()
        let engine = engine(device: "null")
        let echo = begin(engine)
        recorder.pass(0.2)
        let before = try XCTUnwrap(wakeups())
        recorder.pass(1)
        XCTAssertLessThan(try XCTUnwrap(wakeups()) - before, 300)
        echo.stop()
    }

    // MARK: The delay line

    func testLateReadingKeepsSourceDelay() {
        let line = EchoRingBuffer(capacity: EchoSource.capacity(delay: 500, rate: 1000))
        defer { line.deallocate() }
        var source = EchoSource(line, delay: 500, rate: 1000)
        var written: Int16 = 0
        func write(_ count: Int) {
            let samples = (0..<count).map { written + Int16($0) }
            samples.withUnsafeBufferPointer { line.write($0) }
            written += Int16(count)
        }
        func read() -> Double { source.next() / EchoSource.gain * 32768 }
        XCTAssertEqual(read(), 0)
        write(499)
        XCTAssertEqual(read(), 0)
        write(2)
        XCTAssertEqual(read(), 1)
        XCTAssertEqual(read(), 2)
        // The reader is late by more than a quarter of a second, so older input is skipped.
        write(400)
        XCTAssertEqual(read(), 401)
        // No more input arrives: the last sample is followed by silence, and the next one by the full delay.
        for index in 402..<901 { XCTAssertEqual(read(), Double(index)) }
        XCTAssertEqual(read(), 0)
        write(499)
        XCTAssertEqual(read(), 0)
        write(1)
        XCTAssertEqual(read(), 901)
    }

    // MARK: Checks

    private func peak(_ samples: ArraySlice<Int16>) -> Int { samples.map { abs(Int($0)) }.max() ?? 0 }

    private func waitForNoThread() {
        let end = Date(timeIntervalSinceNow: 60)
        while !ProcessThreads.named("touchtone-mic").isEmpty, Date() < end { sched_yield() }
        XCTAssertEqual(ProcessThreads.named("touchtone-mic"), [])
    }

    /// Returns the number of times that the microphone's thread was put to sleep, and so was woken.
    private func wakeups() -> Int? {
        guard let thread = ProcessThreads.named("touchtone-mic").first else { return nil }
        let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }
}
