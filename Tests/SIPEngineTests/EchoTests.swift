// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the echo canceller, in a room where the microphone hears everything that the speaker plays.
    @Suite struct Echo {
        private let sound: SoundServer

        init() throws {
            sound = try SoundServer()
            try sound.load([
                // The speaker, with the microphone in front of it, and the mouth and microphone of the far end. The
                // engine does not offer monitors as microphones.
                "module-null-sink sink_name=room",
                "module-remap-source source_name=microphone master=room.monitor",
                "module-null-sink sink_name=mouth",
                "module-remap-source source_name=far master=mouth.monitor",
            ])
        }

        @Test func farEndHearsNoEchoOfItself() throws {
            let server = try Peers.kamailio()
            let phone = try engine(playback: "room", capture: "microphone")
            let far = try engine(playback: "phone", capture: "far")
            #expect(phone.register(.at(server)) == .registered)
            #expect(far.register(.at(server, user: "carol")) == .registered)
            phone.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            far.send(.call(try #require(far.waitForCall()).id, .answer))
            #expect(phone.wait(for: .call(.dialled, .answered)))
            let recorder = try sound.record()
            // The far end hears a voice in the room.
            let near = try player(of: Self.noise(seconds: 60), into: "room")
            #expect(recorder.waitForSound(after: recorder.samples.count))
            recorder.pass(2)
            #expect(Self.level(recorder, seconds: 1) > 0.3 * Self.loudness)
            near.end()
            #expect(recorder.waitForSilence(0.5))
            // The far end's own voice is played in the room, and does not come back.
            let own = try player(of: Self.noise(seconds: 60), into: "mouth")
            recorder.pass(6)
            #expect(Self.level(recorder, seconds: 3) < 0.1 * Self.loudness)
            own.end()
            phone.send(.call(.dialled, .hangUp))
            #expect(phone.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        private func engine(playback: String, capture: String) throws -> EngineProcess {
            let engine = try EngineProcess(on: sound)
            engine.send(.setDevices(SIPDevices(playback: "pulse:\(playback)", capture: "pulse:\(capture)")))
            return engine
        }

        /// Plays samples at 16,000 Hz through a device.
        private func player(of samples: [Int16], into device: String) throws -> Child {
            let path = "\(try TemporaryFolders.make("touchtone-echo"))/samples"
            try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
            return try Child(
                ["paplay", "--raw", "--rate=16000", "--format=s16le", "--channels=1", "-d", device, path],
                environment: sound.environment)
        }

        /// The root mean square of the noise.
        private static let loudness = 3000.0

        /// Returns noise in syllables of a quarter of a second.
        private static func noise(seconds: Int) -> [Int16] {
            var random = SplitMix64(seed: 1)
            // The mean square of the sine to the fourth power is 3/8, and that of the random numbers 1/3.
            let peak = loudness * 8.0.squareRoot()
            return (0..<16_000 * seconds).map { frame in
                let syllable = sin(.pi * Double(frame % 4000) / 4000)
                return Int16(peak * syllable * syllable * Double.random(in: -1...1, using: &random))
            }
        }

        /// Returns the root mean square of the end of a recording.
        private static func level(_ recorder: SoundRecorder, seconds: Int) -> Double {
            let samples = recorder.samples.suffix(seconds * recorder.rate)
            let sum = samples.reduce(0) { $0 + Double($1) * Double($1) }
            return (sum / Double(samples.count)).squareRoot()
        }
    }
}
