// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import TouchtoneCore
import XCTest

@testable import TouchtoneAudio

/// Tests of the list of the sound server's devices, with a real server.
final class ServerDeviceTests: SoundTestCase {
    private static let long = String(repeating: "A headset with a long name ", count: 20)

    /// Each sink, as the server knows and describes it, and its label.
    private static let sinks = [
        ("plain", "Headset", "Headset"), ("twin.1", "Twin", "Twin, pulse:twin.1"),
        ("twin.2", "Twin", "Twin, pulse:twin.2"), ("right", "سماعات الرأس", "سماعات الرأس"),
        ("odd", "100 % “odd”,\t{device} \u{202e}=<b>&", "100 % “odd”, {device} =<b>&"),
        ("long", long, String(long.prefix(80)) + "…"),
    ]

    override func tearDownWithError() throws {
        // The next test has a server without these devices.
        let server = try soundServer()
        if server.isRunning { server.kill() }
        try server.start()
    }

    private func loadDevices() throws -> SoundServer {
        let server = try soundServer()
        for (name, description, _) in Self.sinks {
            try server.load([
                "module-null-sink sink_name=\(name) norewinds=1 sink_properties='device.description=\"\(description)\"'"
            ])
        }
        try server.load(["module-null-source source_name=boom description=Boom"])
        return server
    }

    func testServersDevicesAreListedByTheirDescriptions() async throws {
        _ = try loadDevices()
        let devices = await ALSADeviceList().devices()
        XCTAssertEqual(devices.first?.name, "default")
        let listed = devices.filter { $0.name.hasPrefix("pulse:") }
        XCTAssertEqual(Array(devices.dropFirst().prefix(listed.count)), listed, "they come before the cards")
        let own = listed.filter { $0.name != "pulse:phone" }
        XCTAssertEqual(own.map(\.name), Self.sinks.map { "pulse:\($0.0)" })
        XCTAssertEqual(own.map(\.label), Self.sinks.map(\.2))
        let microphones = await ALSADeviceList().microphones()
        XCTAssertEqual(
            microphones.map(\.name).filter { $0.hasPrefix("pulse:") }, ["pulse:boom"], "no monitors")
        XCTAssertEqual(microphones.first { $0.name == "pulse:boom" }?.label, "Boom")
        XCTAssertEqual(try soundServer().connections(), 0, "it has left")
    }

    func testTonesPlayOnListedDeviceAndOnDefaultOnceItIsGone() async throws {
        let server = try loadDevices()
        let engine = AudioEngine(device: "pulse:right") { _ in }
        engine.start(.five)
        try wait(for: "right", server)
        engine.setDevice("pulse:odd", for: .tones)
        try wait(for: "odd", server)
        engine.stop()
        let modules = try output(of: ["pactl", "list", "short", "modules"], environment: server.environment)
        let module = modules.split(separator: "\n").first { $0.contains("sink_name=right") }
        let number = try XCTUnwrap(module?.split(separator: "\t").first.map(String.init))
        _ = try output(of: ["pactl", "unload-module", number], environment: server.environment)
        let names = await ALSADeviceList().devices().map(\.name)
        XCTAssertFalse(names.contains("pulse:right"))
        let later = AudioEngine(device: "pulse:right") { XCTFail("\($0)") }
        later.start(.five)
        try wait(for: "phone", server)
        later.stop()
    }

    func testNoServerLeavesDevicesOfALSA() async throws {
        let server = try soundServer()
        server.kill()
        XCTAssertEqual(ServerDeviceQuery.devices(.playback), [])
        let names = await ALSADeviceList().devices().map(\.name)
        XCTAssertEqual(names.first, "default")
        XCTAssertFalse(names.contains { $0.hasPrefix("pulse:") })
        XCTAssertEqual(ServerDeviceQuery.devices(.capture, of: "unix:/nonexistent/native"), [])
        XCTAssertEqual(ServerDeviceQuery.devices(.capture, of: "no such address at all"), [])
    }

    /// A server that hangs, as one that is stopped by a debugger.
    func testServerThatDoesNotAnswerIsLeftInTime() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hung-\(getpid())").path
        let hung = try Child([
            "/usr/bin/python3", "-c",
            "import signal, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); "
                + "print('ready', flush=True); c = s.accept(); signal.pause()", folder,
        ])
        defer {
            hung.end()
            try? FileManager.default.removeItem(atPath: folder)
        }
        XCTAssertEqual(hung.readLine(), "ready")
        let time = ContinuousClock().measure {
            XCTAssertEqual(ServerDeviceQuery.devices(.playback, of: "unix:\(folder)", limit: 0.3), [])
        }
        XCTAssertGreaterThanOrEqual(time, .seconds(0.25))
        XCTAssertLessThan(time, .seconds(10), "it waits without end")
    }

    func testNamesThatALSAWouldMisreadAreLeftOut() {
        for name in [
            "", "a,b", "a=b", "a'b", "a\"b", "$b", " a", "a\nb", "a\u{202e}b",
            String(repeating: "a", count: 201),
        ] {
            XCTAssertNil(ServerDevice(name: name, description: "x"), name)
        }
        for name in [
            "alsa_output.pci-0000_00_1f.3.analog-stereo", "bluez_output.AA_BB_CC_DD_EE_FF.1", "My Sink",
            "a:b",
        ] {
            XCTAssertEqual(ServerDevice(name: name, description: " ")?.name, "pulse:\(name)")
            XCTAssertEqual(ServerDevice(name: name, description: "\t ")?.label, name)
        }
    }

    /// Waits until a stream plays on a sink.
    private func wait(for sink: String, _ server: SoundServer, line: UInt = #line) throws {
        func rows(_ kind: String) throws -> [[String]] {
            try output(of: ["pactl", "list", "short", kind], environment: server.environment)
                .split(separator: "\n").map { $0.components(separatedBy: "\t") }
        }
        let number = try rows("sinks").first { $0[1] == sink }?[0]
        let end = Date(timeIntervalSinceNow: 60)
        while try !rows("sink-inputs").contains(where: { $0[1] == number }), Date() < end {}
        XCTAssert(
            try rows("sink-inputs").contains { $0[1] == number }, "nothing plays on \(sink)", line: line)
    }
}
