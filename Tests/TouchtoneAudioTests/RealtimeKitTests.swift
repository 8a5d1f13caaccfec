// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Synchronization
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of priority from RealtimeKit, for an engine that may not set it itself.
final class RealtimeKitTests: SoundTestCase {
    private static let shortPeriod = 240  // 5 ms
    private static let resetOnFork: Int32 = 0x4000_0000  // SCHED_RESET_ON_FORK, which Swift's Glibc lacks
    private static let longPeriod = 480  // 10 ms

    override func tearDown() { SystemBus.use("unix:path=/nonexistent") }

    func testGrantedPriorityRaisesThreadsAndShortensPeriods() throws {
        _ = try soundServer()
        let bus = try peer { try SystemBus(granting: true) }
        defer { bus.end() }
        let engine = engine()
        engine.setReady(true)
        var raised: Set<String> = []
        // The audio thread, and the device's own, which may have started before or after the grant.
        while raised.count < 2 {
            let request = try bus.nextRequest()
            XCTAssertEqual(request.process, getpid())
            XCTAssertEqual(request.priority, 8, "RealtimeKit's greatest")
            XCTAssertEqual(request.limits, ["200000", "200000"])
            if let name = name(of: request.thread) { raised.insert(name) }
        }
        XCTAssertEqual(raised, ["touchtone-audio", "threaded-ml"])
        waitForPeriod(Self.shortPeriod, engine)
        for thread in ProcessThreads.named("touchtone-audio") where RealtimeKitTests.mayRaise {
            XCTAssertEqual(sched_getscheduler(thread) & ~Self.resetOnFork, SCHED_RR)
        }
        try assertSounds(engine)
    }

    func testPeriodsAreLongIfPriorityIsRefused() throws {
        _ = try soundServer()
        let bus = try peer { try SystemBus(granting: false) }
        defer { bus.end() }
        let engine = engine()
        engine.setReady(true)
        let thread = try bus.nextRequest().thread
        XCTAssertEqual(name(of: thread), "touchtone-audio")
        try assertSounds(engine)
        waitForPeriod(Self.longPeriod, engine)
        XCTAssertEqual(engine.state.priority.load(ordering: .acquiring), .none)
    }

    func testPeriodsAreLongWithoutBus() throws {
        _ = try soundServer()
        SystemBus.use("unix:path=/nonexistent")
        let engine = engine()
        try assertSounds(engine)
        engine.setReady(true)
        waitForPeriod(Self.longPeriod, engine)
    }

    func testToneDoesNotWaitForUnresponsiveBus() throws {
        _ = try soundServer()
        let folder = TemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let socket = listeningSocket("\(folder.path)/bus")
        defer { close(socket) }
        SystemBus.use("unix:path=\(folder.path)/bus")
        try assertSounds(engine())
    }

    func testOwnPriorityIsUsedWithoutAsking() throws {
        guard Self.mayRaise else { throw XCTSkip("this user may take no real-time priority") }
        _ = try soundServer()
        SystemBus.use("unix:path=/nonexistent")
        let engine = AudioEngine { XCTFail("\($0)") }
        engine.setReady(true)
        waitForPeriod(Self.shortPeriod, engine)
        XCTAssertEqual(engine.state.priority.load(ordering: .acquiring), .taken)
    }

    // MARK: - Checks

    /// Whether this process may set real-time priority, and so the substitute too.
    private static let mayRaise = (try? output(of: ["chrt", "-f", "5", "true"])) != nil

    private func engine() -> AudioEngine {
        waitForNoAudioThread()
        var configuration = AudioEngine.Configuration()
        configuration.takesPriority = false
        return AudioEngine(configuration) { XCTFail("\($0)") }
    }

    private func waitForPeriod(_ frames: Int, _ engine: AudioEngine, line: UInt = #line) {
        let end = Date(timeIntervalSinceNow: 60)
        while engine.state.periodFrames.load(ordering: .relaxed) != frames, Date() < end { sched_yield() }
        XCTAssertEqual(engine.state.periodFrames.load(ordering: .relaxed), frames, line: line)
    }

    private func name(of thread: Int32) -> String? {
        let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
        return name.map { String($0.dropLast()) }
    }

    /// Asserts that a tone is heard.
    ///
    /// Without priority, a loaded machine may interrupt it.
    private func assertSounds(_ engine: AudioEngine, line: UInt = #line) throws {
        let recorder = try soundServer().record()
        engine.start(.five)
        engine.stop()
        XCTAssert(recorder.waitForSound(), line: line)
        XCTAssert(recorder.waitForSilence(0.2), line: line)
        let parts = Bursts(recorder.end(), rate: 48_000).ranges.count
        guard engine.state.priority.load(ordering: .acquiring) != .none else { return }
        XCTAssertEqual(parts, 1, line: line)
    }

    /// Returns a socket whose connections the kernel accepts, and which never answers.
    private func listeningSocket(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        XCTAssertEqual(result, 0)
        XCTAssertEqual(listen(descriptor, 4), 0)
        return descriptor
    }
}
