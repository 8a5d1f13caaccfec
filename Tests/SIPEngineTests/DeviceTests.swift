// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests with a sound server and two virtual cards.
    @Suite struct Devices {
        private let sound: SoundServer
        private let engine: EngineProcess

        init() throws {
            sound = try SoundServer()
            for arguments in [
                "module-null-sink sink_name=headset",
                "module-null-source source_name=desk", "module-null-source source_name=boom",
            ] {
                _ = try output(
                    of: ["pactl", "load-module"] + arguments.components(separatedBy: " "),
                    environment: sound.environment)
            }
            engine = try EngineProcess(
                environment: sound.environment.merging(["TOUCHTONE_SIP_FILES": ""]) { $1 })
        }

        /// Returns the names of the devices that a kind of stream uses.
        private func used(_ streams: String, _ devices: String) throws -> [String] {
            let names = try rows(devices).map { ($0[0], $0[1]) }
            return try rows(streams).compactMap { stream in names.first { $0.0 == stream[1] }?.1 }
        }

        private func rows(_ kind: String) throws -> [[String]] {
            try output(of: ["pactl", "list", "short", kind], environment: sound.environment)
                .split(separator: "\n").map { $0.components(separatedBy: "\t") }
        }

        /// Waits until the call uses two devices, and no others.
        private func waitForDevices(_ playback: String, _ capture: String) throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < deadline {
                if try used("sink-inputs", "sinks") == [playback],
                    try used("source-outputs", "sources") == [capture]
                {
                    return true
                }
            }
            return false
        }

        @Test func runningCallMovesToOtherDevices() throws {
            let server = try Peers.kamailio()
            _ = try Peers.bob()
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:desk")))
            #expect(engine.register(.at(server)) == .registered)
            engine.send(.dial(.dialled, account: "alice", address: server.address(of: "bob")))
            #expect(engine.wait(for: .answered(.dialled)))
            #expect(try waitForDevices("phone", "desk"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:boom")))
            #expect(try waitForDevices("headset", "boom"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:boom")))
            #expect(try waitForDevices("phone", "boom"))
            engine.send(.hangUp(.dialled))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }
    }
}
