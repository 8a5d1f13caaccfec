// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// The levels that a microphone had.
private final class Levels: Sendable {
    private let all = Mutex<[Double]>([])
    private let news = DispatchSemaphore(value: 0)

    var last: [Double] { all.withLock { $0.suffix(10) } }

    func add(_ level: Double) {
        all.withLock { $0.append(level) }
        news.signal()
    }

    /// Waits for a new level near the given one.
    func wait(for wanted: Double) -> Bool {
        all.withLock { $0 = [] }
        let end = DispatchTime.now() + 8
        repeat {
            if all.withLock({ $0.contains { abs($0 - wanted) < 1 } }) { return true }
        } while news.wait(timeout: end) == .success
        return false
    }
}

/// Tests of the level and the gain of the microphone, which hears a tone of a known level.
final class MicrophoneLevelTests: SoundTestCase {
    /// The level of the tone of PulseAudio's module-sine, in dBFS: its peak is half of full scale.
    private static let tone = -6.02
    private let levels = Levels()
    private let failures = Counter()

    private func engine(_ microphone: String) throws -> AudioEngine {
        _ = try soundServer()
        let engine = AudioEngine { _ in }
        engine.setMicrophone(microphone)
        return engine
    }

    private func watch(_ engine: AudioEngine) -> any MicrophoneWatch {
        engine.watch(
            heard: { [levels] in levels.add($0) }, failed: { [failures] in failures.add() })
    }

    /// Waits for a level near the given one.
    private func waitForLevel(
        _ wanted: Double, file: StaticString = #filePath, line: UInt = #line
    ) {
        if levels.wait(for: wanted) { return }
        XCTFail("\(levels.last)", file: file, line: line)
    }

    /// Adds a microphone that hears a tone at that level.
    private func addMicrophone(_ name: String, _ level: Int) throws {
        let server = try soundServer()
        try server.addMicrophone(name, frequency: 1000)
        _ = try output(
            of: ["pactl", "set-source-volume", name, "\(level)dB"], environment: server.environment)
    }

    func testLevelIsThatOfTone() throws {
        try addMicrophone("loud", -20)
        let watch = watch(try engine("pulse:loud"))
        waitForLevel(Self.tone - 20)
        watch.stop()
        try waitForMicrophone(0)
        XCTAssertEqual(failures.count, 0)
    }

    func testGainChangesLevelAtOnce() throws {
        try addMicrophone("quiet", -30)
        let engine = try engine("pulse:quiet")
        let watch = watch(engine)
        waitForLevel(Self.tone - 30)
        engine.setMicrophoneGain(12)
        waitForLevel(Self.tone - 18)
        engine.setMicrophoneGain(-10)
        waitForLevel(Self.tone - 40)
        engine.setMicrophoneGain(1000)
        waitForLevel(Self.tone - 10)
        watch.stop()
    }

    func testReleasedWatchReleasesMicrophone() throws {
        try addMicrophone("other", -20)
        do {
            let watch = watch(try engine("pulse:other"))
            try waitForMicrophone(1)
            withExtendedLifetime(watch) {}
        }
        try waitForMicrophone(0)
    }

    func testRecordingHasGain() throws {
        try addMicrophone("voice", -30)
        let engine = try engine("pulse:voice")
        engine.setMicrophoneGain(12)
        let echo = engine.beginEcho(after: .milliseconds(100)) { [failures] in failures.add() }
        echo.watch { [levels] in levels.add($0) }
        waitForLevel(Self.tone - 18)
        echo.watch(nil)
        echo.stop()
        try waitForMicrophone(0)
    }
}
