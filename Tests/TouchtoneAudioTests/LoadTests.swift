// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of the engine on a loaded machine, and with keys faster than the tones.
final class LoadTests: SoundTestCase {
    func testHeldToneHasNoGapBesideFourBusyLoops() throws {
        let loops = try (0..<4).map { _ in try Child(["sh", "-c", "while :; do :; done"]) }
        defer { for loop in loops { loop.end() } }
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        engine.setReady(true)
        press(.five, engine, for: 4, on: recorder)
        XCTAssert(recorder.waitForSilence(0.3))
        let samples = recorder.end()
        XCTAssertEqual(Bursts(samples, rate: 48_000, gap: 0.001).ranges.count, 1)
        let bound = steepestStep(.five, peak: Level.standard.amplitude, rate: 48_000)
        XCTAssertLessThanOrEqual(greatestStep(samples), bound)
        XCTAssertEqual(try peer { try Decoders.multimon(samples, rate: 48_000) }, "5")
        XCTAssertEqual(try peer { try Decoders.spandsp(samples, rate: 48_000) }, "5")
    }

    /// A hundred presses a second; the tones take ten times as long.
    func testKeysHitFasterThanTheySoundKeepTheirOrder() throws {
        var random = SplitMix64(seed: 1987)
        let keys = (0..<100).map { _ in DTMFKey.allCases.randomElement(using: &random) ?? .zero }
        let recorder = try soundServer().record()
        let engine = AudioEngine { XCTFail("\($0)") }
        for key in keys {
            engine.start(key)
            recorder.pass(0.005)
            engine.stop()
            recorder.pass(0.005)
        }
        XCTAssert(recorder.waitForSilence(0.3))
        let samples = recorder.end()
        let wanted = String(keys.map(\.character))
        XCTAssertEqual(try peer { try Decoders.multimon(samples, rate: 48_000) }, wanted)
        XCTAssertEqual(try peer { try Decoders.spandsp(samples, rate: 48_000) }, wanted)
    }

    func testUnderrunIsCountedCompensatedAndReported() throws {
        let server = try soundServer()
        try TemporaryFolder.with { folder in
            // ALSA's plugin for PulseAudio continues with silence unless it is configured to stop like a sound card.
            let configuration = """
                </usr/share/alsa/alsa.conf>
                pcm.strict { type pulse handle_underrun 1 }
                """
            let file = try folder.write(Array(configuration.utf8), "asound.conf")
            setenv("ALSA_CONFIG_PATH", file, 1)
            defer { unsetenv("ALSA_CONFIG_PATH") }
            let told = Mutex("")
            let said = expectation(description: "told")
            let engine = AudioEngine(
                device: "strict",
                debug: { line in
                    XCTAssertEqual(
                        sched_getscheduler(0), SCHED_OTHER, "the log has no time to lose for others")
                    told.withLock { $0 = line }
                    said.fulfill()
                }
            ) { XCTFail("\($0)") }
            let recorder = try server.record()
            engine.start(.five)
            XCTAssert(recorder.waitForSound())
            // The plugin does not report an underrun if the engine writes again before the server's notice is read.
            var attempts = 0
            repeat {
                attempts += 1
                // The recorder and the server continue while this process is stopped.
                let pause = try Child([
                    "sh", "-c", "kill -STOP \(getpid()); sleep 0.3; kill -CONT \(getpid()); echo",
                ])
                XCTAssertNotNil(pause.readLine())
                // Longer than it sounded before.
                let goesOn = recorder.wait { samples in
                    let last = Array(samples.suffix(9600))
                    return Bursts(last, rate: 48_000, gap: 0.002).ranges.map(\.count).max() ?? 0 > 9500
                }
                XCTAssert(goesOn, "the tone is not made up for")
            } while engine.underruns == 0 && attempts < 10
            engine.stop()
            XCTAssert(recorder.waitForSilence(0.2))
            wait(for: [said], timeout: 60)
            XCTAssertGreaterThanOrEqual(engine.underruns, 1)
            XCTAssert(told.withLock { $0.contains("ran out of samples") })
        }
    }
}
