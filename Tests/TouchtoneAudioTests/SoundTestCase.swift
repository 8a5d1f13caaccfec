// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// A test of the output of ALSA's default device; one server serves all of them in turn.
class SoundTestCase: XCTestCase {
    // The first test that uses it starts it. XCTest runs one test at a time, on one thread.
    private nonisolated(unsafe) static var running: SoundServer?

    /// Returns the sound card, which is the test process's default device.
    func soundServer() throws -> SoundServer {
        if let server = Self.running { return server }
        let server = try peer { try SoundServer() }
        server.use()
        Self.running = server
        return server
    }

    /// Skips the test if a peer is missing, or fails it if peers are required.
    func peer<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let missing as MissingPeer where !Peer.isRequired {
            throw XCTSkip("\(missing)")
        }
    }

    /// Waits until the engines of earlier tests have ended.
    func waitForNoAudioThread() { waitForAudioThreads(\.isEmpty) }

    /// Waits until the threads of the engines satisfy a condition.
    func waitForAudioThreads(
        file: StaticString = #filePath, line: UInt = #line, _ condition: ([pid_t]) -> Bool
    ) {
        let end = Date(timeIntervalSinceNow: 60)
        var threads = ProcessThreads.named("touchtone-audio")
        while !condition(threads), Date() < end {
            sched_yield()
            threads = ProcessThreads.named("touchtone-audio")
        }
        XCTAssert(condition(threads), "\(threads)", file: file, line: line)
    }

    /// Presses the key for `seconds` of the recording.
    func press(_ key: DTMFKey, _ engine: AudioEngine, for seconds: Double, on recorder: SoundRecorder) {
        engine.start(key)
        recorder.pass(seconds)
        engine.stop()
    }
}
