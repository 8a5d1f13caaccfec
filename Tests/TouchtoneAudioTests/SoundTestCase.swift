// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// A test of the output of ALSA's default device; one server serves all of them in turn.
///
/// A test that fails is repeated if the machine paused meanwhile, because sound has gaps then with any player. If the
/// machine pauses every time, the test is skipped: it can prove nothing about the phone.
class SoundTestCase: XCTestCase {
    private static let attempts = 5

    private struct Failure {
        let description: String
        let file: String
        let line: Int
        let isExpected: Bool
    }

    // The failures of the present attempt; nil outside attempts. Assertions may run on any thread.
    private let failures = Mutex<[Failure]?>(nil)

    required init(name: String, testClosure: @escaping XCTestCaseClosure) {
        super.init(name: name) { test in
            guard let test = test as? SoundTestCase else { return try testClosure(test) }
            try test.repeatWhileMachinePauses { try testClosure(test) }
        }
    }

    private func repeatWhileMachinePauses(_ body: () throws -> Void) throws {
        for _ in 1...Self.attempts {
            failures.withLock { $0 = [] }
            let watch = try StallWatch()
            let result = Result { try body() }
            let pause = watch.end()
            let failures = failures.withLock { $0.take() ?? [] }
            let hasFailed = !failures.isEmpty || result.error.map { !($0 is XCTSkip) } ?? false
            guard hasFailed, pause >= StallWatch.harmful else {
                if hasFailed { print("\(name): the longest pause of the machine was \(pause) ms") }
                report(failures)
                return try result.get()
            }
            let why = failures.first?.description ?? result.error.map { "\($0)" } ?? ""
            print("\(name) is repeated, because the machine paused for \(pause) ms: \(why)")
        }
        throw XCTSkip("The machine paused in each of \(Self.attempts) attempts.")
    }

    override func recordFailure(
        withDescription description: String, inFile file: String, atLine line: Int, expected: Bool
    ) {
        let failure = Failure(description: description, file: file, line: line, isExpected: expected)
        let isBuffered = failures.withLock {
            $0?.append(failure)
            return $0 != nil
        }
        if !isBuffered { report([failure]) }
    }

    private func report(_ failures: [Failure]) {
        for failure in failures {
            super.recordFailure(
                withDescription: failure.description, inFile: failure.file, atLine: failure.line,
                expected: failure.isExpected)
        }
    }

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

    /// Waits for the phone's stream; the recorder's own does not count.
    func waitForMicrophone(
        _ count: Int, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let server = try soundServer()
        let end = Date(timeIntervalSinceNow: 60)
        func microphones() throws -> Int {
            let list = try output(of: ["pactl", "list", "source-outputs"], environment: server.environment)
            return list.components(separatedBy: "ALSA Capture").count - 1
        }
        while try microphones() != count, Date() < end {}
        XCTAssertEqual(try microphones(), count, file: file, line: line)
    }

    /// Presses the key for `seconds` of the recording.
    func press(_ key: DTMFKey, _ engine: AudioEngine, for seconds: Double, on recorder: SoundRecorder) {
        engine.start(key)
        recorder.pass(seconds)
        engine.stop()
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
