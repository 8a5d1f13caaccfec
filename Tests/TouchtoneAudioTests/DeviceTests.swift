// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of devices that are missing, disappear and return, and of the engine's resources at rest.
final class DeviceTests: SoundTestCase {
    private static let missing = "no such device, and a ' in its name"
    private let notices = RecordedNotices()

    private func engine(_ configuration: AudioEngine.Configuration = .init()) -> AudioEngine {
        AudioEngine(configuration) { [notices] in notices.add($0) }
    }

    override func tearDownWithError() throws {
        // A failed test may have left the server stopped.
        let server = try soundServer()
        if !server.isRunning { try server.start() }
    }

    func testPhoneWorksSilentlyWithoutDeviceAndReportsItOnce() throws {
        let server = try soundServer()
        server.kill()
        let engine = engine()
        engine.setReady(true)
        XCTAssert(notices.wait(for: 1))
        for key in DTMFKey.allCases {
            engine.start(key)
            engine.stop()
        }
        engine.setReady(true)
        try server.start()
        XCTAssert(notices.wait(for: 2, limit: 1), "not back within a second of the server's return")
        XCTAssertEqual(notices.all, [.deviceLost(.tones), .deviceFound(.tones)])
        try assertSounds(engine, "presses of the silent time are forgotten, the next one sounds")
    }

    func testServerLostDuringToneIsFoundAgain() throws {
        let server = try soundServer()
        let recorder = try server.record()
        let engine = engine()
        engine.setReady(true)
        engine.start(.one)
        XCTAssert(recorder.waitForSound())
        server.kill()
        XCTAssert(notices.wait(for: 1))
        engine.stop()
        try server.start()
        XCTAssert(notices.wait(for: 2, limit: 1), "not back within a second of the server's return")
        XCTAssertEqual(notices.all, [.deviceLost(.tones), .deviceFound(.tones)])
        try assertSounds(engine)
    }

    func testServerReplacedAtRestIsUsedOnPress() throws {
        let server = try soundServer()
        let engine = engine()
        engine.setReady(true)
        try assertSounds(engine)
        server.kill()
        try server.start()
        try waitForStreams(1, server, limit: 1)
        try assertSounds(engine)
    }

    func testServerLostWhileOpeningIsFoundAgain() throws {
        let server = try soundServer()
        let engine = engine()
        for _ in 0..<3 {
            engine.setReady(true)
            server.kill()
            engine.start(.one)
            engine.stop()
            try server.start()
            try waitForStreams(1, server, limit: 1)
            try assertSounds(engine)
            engine.setReady(false)
        }
        // All notices must have been sent in order.
        for (index, notice) in notices.all.enumerated() {
            XCTAssertEqual(notice, index % 2 == 0 ? .deviceLost(.tones) : .deviceFound(.tones))
        }
    }

    func testMissingDevicesAreReportedOnce() throws {
        try soundServer().kill()
        let engine = AudioEngine(device: Self.missing) { [notices] in notices.add($0) }
        engine.setReady(true)
        engine.start(.one)
        engine.stop()
        XCTAssert(notices.wait(for: 1))
        engine.setReady(false)
        engine.setReady(true)
        engine.start(.one)
        XCTAssertFalse(notices.wait(for: 2, limit: 0.5))
        XCTAssertEqual(notices.all, [.deviceLost(.tones)])
    }

    func testDefaultReplacesMissingDevice() throws {
        _ = try soundServer()
        let engine = AudioEngine(device: Self.missing) { [notices] in notices.add($0) }
        try assertSounds(engine)
        XCTAssertEqual(notices.all, [])
    }

    func testDeviceChangesAtRestAndDuringTone() throws {
        let server = try soundServer()
        let engine = engine()
        engine.setReady(true)
        try waitForStreams(1, server)
        engine.setDevice("null", for: .tones)
        try waitForStreams(0, server)
        let recorder = try server.record()
        engine.start(.five)
        engine.setDevice("pulse", for: .tones)
        XCTAssert(recorder.waitForSound(), "the tone goes on at the other device")
        engine.setDevice("null", for: .tones)
        try waitForStreams(0, server)
        engine.setDevice("default", for: .tones)
        try waitForStreams(1, server)
        XCTAssert(recorder.waitForSound(after: recorder.samples.count))
        engine.stop()
        XCTAssert(recorder.waitForSilence(0.2))
        XCTAssertEqual(notices.all, [])
    }

    /// ALSA's `null` accepts any amount of data at once; PulseAudio's plugin rounds its free space.
    func testToneWakesThreadOncePerPeriod() throws {
        for device in ["null", "default"] {
            let recorder = try soundServer().record()
            waitForNoAudioThread()
            let engine = AudioEngine(device: device) { XCTFail("\($0)") }
            engine.start(.five)
            recorder.pass(0.1)
            let before = try XCTUnwrap(wakeups())
            // On a loaded machine, this test continues late.
            let time = ContinuousClock().measure { recorder.pass(1) }
            let count = try XCTUnwrap(wakeups()) - before
            // A period is 5 ms or 10.
            let rate = Double(count) / (time / .seconds(1))
            XCTAssert((80...300).contains(rate), "\(rate) a second at \(device)")
            engine.stop()
        }
    }

    func testDeviceListStartsWithDefaultAndOmitsDiscardingDevices() async throws {
        let devices = await ALSADeviceList().devices()
        XCTAssertEqual(devices.first?.name, "default")
        let names = devices.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertFalse(names.contains("null"))
        for plugin in ["jack", "oss", "pulse", "pipewire", "usbstream"] {
            XCTAssertFalse(names.contains(plugin), "a plugin is no device")
        }
        for device in devices { XCTAssertFalse(device.label.isEmpty || device.label.contains("\n")) }
    }

    /// As ALSA lists a computer with one card, and the plugins of Debian.
    func testDeviceListHasRealDevicesOnce() {
        let card = "HDA Intel PCH, ALC257 Analog"
        let hints: [ALSADeviceList.Hint] = [
            .init(name: "null", text: "Discard all samples (playback)", direction: nil),
            .init(name: "jack", text: "JACK Audio Connection Kit", direction: nil),
            .init(name: "oss", text: "Open Sound System", direction: nil),
            .init(name: "pulse", text: "PulseAudio Sound Server", direction: nil),
            .init(name: "speex", text: "Plugin using Speex DSP", direction: nil),
            .init(name: "default", text: "Default", direction: nil),
            .init(name: "mine", text: "My filter", direction: "Output"),
            .init(name: "hw:CARD=PCH,DEV=0", text: "\(card)\nDirect hardware device", direction: nil),
            .init(name: "plughw:CARD=PCH,DEV=0", text: "\(card)\nHardware device", direction: nil),
            .init(name: "sysdefault:CARD=PCH", text: "\(card)\nDefault Audio Device", direction: nil),
            .init(name: "front:CARD=PCH,DEV=0", text: "\(card)\nFront output", direction: "Output"),
            .init(name: "surround51:CARD=PCH,DEV=0", text: "\(card)\n5.1", direction: "Output"),
            .init(
                name: "hdmi:CARD=PCH,DEV=0", text: "HDA Intel PCH, HDMI 0\nHDMI Audio", direction: "Output"),
            .init(name: "dsnoop:CARD=PCH,DEV=0", text: "\(card)\nDirect", direction: "Input"),
            .init(name: "sysdefault:CARD=Mic", text: "USB Mic", direction: "Input"),
            .init(name: "sysdefault:CARD=Bare", text: "", direction: "Output"),
        ]
        XCTAssertEqual(
            ALSADeviceList.devices(in: hints, .playback).map(\.name),
            ["default", "mine", "sysdefault:CARD=PCH", "hdmi:CARD=PCH,DEV=0", "sysdefault:CARD=Bare"])
        XCTAssertEqual(
            ALSADeviceList.devices(in: hints, .playback).map(\.label),
            [
                "Default device", "My filter", card, "HDA Intel PCH, HDMI 0, HDMI Audio",
                "sysdefault:CARD=Bare",
            ])
        XCTAssertEqual(
            ALSADeviceList.devices(in: hints, .capture).map(\.label), ["Default device", card, "USB Mic"])
        // A server uses the card; it comes first, and the card is still there for those who have chosen it.
        let server = [
            ServerDevice(name: "alsa_output.pch", description: "Built-in Analog", card: 0),
            ServerDevice(name: "bluez.1", description: "Ada’s Ears"),
            ServerDevice(name: "bluez.2", description: "Ada’s Ears"),
        ].compactMap(\.self)
        let all = ALSADeviceList.devices(in: hints, .playback, server: server) { ["PCH": 0, "Bare": 1][$0] }
        XCTAssertEqual(
            all.map(\.label),
            [
                "Default device", "Built-in Analog", "Ada’s Ears, pulse:bluez.1", "Ada’s Ears, pulse:bluez.2",
                "My filter", "sysdefault:CARD=Bare", "\(card), without the sound server",
                "HDA Intel PCH, HDMI 0, HDMI Audio, without the sound server",
            ])
        XCTAssertEqual(
            all.map(\.name).prefix(4), ["default", "pulse:alsa_output.pch", "pulse:bluez.1", "pulse:bluez.2"])
    }

    func testMicrophoneIsChosenOneOrThatOfTones() {
        let engine = AudioEngine(device: "null") { XCTFail("\($0)") }
        XCTAssertEqual(engine.microphones, ["null", "default"])
        engine.setMicrophone("hw:CARD=Mic")
        XCTAssertEqual(engine.microphones, ["hw:CARD=Mic", "default"])
        engine.setMicrophone("default")
        XCTAssertEqual(engine.microphones, ["null", "default"])
        engine.setDevice("pulse:headset", for: .tones)
        XCTAssertEqual(engine.microphones, ["default"], "it plays, and records nothing")
        engine.setDevice("default", for: .tones)
        XCTAssertEqual(engine.microphones, ["default"])
    }

    func testDeviceIsHeldWhilePressIsExpectedThenReleased() throws {
        let server = try soundServer()
        var configuration = AudioEngine.Configuration()
        configuration.idleTime = 0.3
        let engine = engine(configuration)
        XCTAssertEqual(try server.streams(), 0, "no device is opened before one is needed")
        engine.setReady(true)
        try waitForStreams(1, server)
        try waitForStreams(0, server)
        try assertSounds(engine, "a press that was not expected sounds too")
        try waitForStreams(0, server)
        engine.setReady(true)
        try waitForStreams(1, server)
        engine.setReady(false)
        try waitForStreams(0, server)
        XCTAssertEqual(notices.all, [])
    }

    func testConnectionOutlastsStreamWhilePressMayCome() throws {
        let server = try soundServer()
        waitForNoAudioThread()
        let recorder = try server.record()
        var configuration = AudioEngine.Configuration()
        configuration.idleTime = 0.3
        let engine = engine(configuration)
        engine.setReady(true)
        try waitForStreams(1, server)
        try waitForStreams(0, server)
        try waitForConnections(1, server)
        let before = try XCTUnwrap(wakeups())
        recorder.pass(2)
        XCTAssertLessThanOrEqual(try XCTUnwrap(wakeups()) - before, 1)
        XCTAssertEqual(try server.connections(), 1)
        try assertSounds(engine, "a press at rest sounds")
        try waitForStreams(0, server)
        try waitForConnections(1, server)
        engine.setReady(false)
        try waitForConnections(0, server)
        XCTAssertEqual(notices.all, [])
    }

    func testPressAtRestSoundsAfterServerRestarted() throws {
        let server = try soundServer()
        var configuration = AudioEngine.Configuration()
        configuration.idleTime = 0.3
        let engine = engine(configuration)
        engine.setReady(true)
        try waitForStreams(1, server)
        try waitForStreams(0, server)
        try waitForConnections(1, server)
        server.kill()
        try server.start()
        try assertSounds(engine)
        XCTAssertEqual(notices.all, [])
    }

    func testArmedEngineDoesNotWake() throws {
        let server = try soundServer()
        waitForNoAudioThread()
        let recorder = try server.record()
        let engine = engine()
        engine.setReady(true)
        try waitForStreams(1, server)
        try assertSounds(engine)
        recorder.waitForSilence(0.2)
        let before = try XCTUnwrap(wakeups())
        recorder.pass(2)
        XCTAssertLessThanOrEqual(try XCTUnwrap(wakeups()) - before, 1)
        withExtendedLifetime(engine) {}
    }

    func testThreadEndsWithItsEngine() throws {
        _ = try soundServer()
        waitForNoAudioThread()
        var engine: AudioEngine? = engine()
        engine?.setReady(true)
        engine?.start(.one)
        // The thread sets its name a moment after it has started.
        waitForAudioThreads { !$0.isEmpty }
        engine = nil
        waitForNoAudioThread()
    }

    func testManyEnginesPressedFromManyThreadsLoseNothing() throws {
        let recorder = try soundServer().record()
        let engine = engine()
        engine.setReady(true)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<4 {
                engine.start(.nine)
                engine.stop()
                engine.setLevel(-9)
                engine.setReady(true)
            }
        }
        XCTAssert(recorder.waitForSound())
        XCTAssert(recorder.waitForSilence(0.3))
        // Another thread's press may come between a press and its release, and counts as a press all the same.
        XCTAssertEqual(Bursts(recorder.end(), rate: 48_000).ranges.count, 16)
    }

    // MARK: - Checks

    /// Presses a key, and checks that it sounds.
    private func assertSounds(
        _ engine: AudioEngine, _ message: String = "", file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let recorder = try soundServer().record()
        engine.start(.five)
        engine.stop()
        XCTAssert(recorder.waitForSound(), message, file: file, line: line)
        XCTAssert(recorder.waitForSilence(0.2), file: file, line: line)
        XCTAssertEqual(Bursts(recorder.end(), rate: 48_000).ranges.count, 1, message, file: file, line: line)
    }

    private func waitForStreams(
        _ count: Int, _ server: SoundServer, limit: Double = 60, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        let end = Date(timeIntervalSinceNow: limit)
        while try server.streams() != count, Date() < end {}
        XCTAssertEqual(try server.streams(), count, file: file, line: line)
    }

    private func waitForConnections(
        _ count: Int, _ server: SoundServer, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try server.connections() != count, Date() < end {}
        XCTAssertEqual(try server.connections(), count, file: file, line: line)
    }

    /// Returns the folders in /proc of the engines' threads.
    private func threads() -> [String] {
        let tasks = "/proc/self/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).map { "\(tasks)/\($0)" }
            .filter { (try? String(contentsOfFile: "\($0)/comm", encoding: .utf8)) == "touchtone-audio\n" }
    }

    /// Returns the number of times that the engine's thread was put to sleep, and so was woken.
    private func wakeups() -> Int? {
        let status = threads().first.flatMap { try? String(contentsOfFile: "\($0)/status", encoding: .utf8) }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }
}
