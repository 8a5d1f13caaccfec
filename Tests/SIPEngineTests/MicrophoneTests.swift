// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the microphone in a call: its level, its gain and the suppression of noise.
    @Suite struct Microphone {
        private let sound: SoundServer
        private let phone, far: EngineProcess
        private let recorder: SoundRecorder

        init() throws {
            sound = try SoundServer()
            try sound.load([
                "module-null-sink sink_name=room", "module-null-sink sink_name=mouth",
                "module-remap-source source_name=microphone master=mouth.monitor",
                "module-null-sink sink_name=nothing",
                "module-remap-source source_name=deaf master=nothing.monitor",
            ])
            let server = try Peers.kamailio()
            phone = try EngineProcess(on: sound)
            far = try EngineProcess(on: sound)
            phone.send(
                .setDevices(
                    SIPDevices(playback: "pulse:room", capture: "pulse:microphone", ringing: "pulse:room")))
            far.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:deaf")))
            #expect(phone.register(.at(server)) == .registered)
            #expect(far.register(.at(server, user: "carol")) == .registered)
            phone.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            far.send(.call(try #require(far.waitForCall()).id, .answer))
            #expect(phone.wait(for: .call(.dialled, .answered)))
            recorder = try sound.record()
        }

        @Test func levelIsToldOnlyWhileItIsWatchedAndFollowsGain() throws {
            // A steady tone is noise to the filter.
            phone.send(.setMicrophone(SIPMicrophone(suppressesNoise: false)))
            let tone = try player(of: Self.tone)
            #expect(recorder.waitForSound())
            recorder.pass(1)
            #expect(level(seconds: 0.5) == nil, "nobody has asked")
            phone.send(.call(.dialled, .watchMicrophone(true)))
            let first = try #require(steadyLevel())
            #expect(abs(first - Self.toneLevel) < 4)
            phone.send(.setMicrophone(SIPMicrophone(gain: 10, suppressesNoise: false)))
            let second = try #require(steadyLevel())
            #expect(abs(second - first - 10) < 3)
            phone.send(.call(.dialled, .setMuted(true)))
            #expect(phone.wait { $0 == .call(.dialled, .microphone(-90)) ? true : nil } == true)
            // The gain leaves it muted.
            phone.send(.setMicrophone(SIPMicrophone(gain: 0, suppressesNoise: false)))
            #expect(recorder.waitForSilence(1))
            phone.send(.call(.dialled, .setMuted(false)))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            phone.send(.call(.dialled, .watchMicrophone(false)))
            _ = steadyLevel(seconds: 0.5)
            #expect(level(seconds: 1) == nil)
            tone.end()
            phone.send(.call(.dialled, .hangUp))
            #expect(phone.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        /// liblinphone gives a stream another gain when it begins, and when it is muted no more.
        @Test func gainOutlastsMuteAndCall() throws {
            phone.send(.setMicrophone(SIPMicrophone(gain: 10, suppressesNoise: false)))
            let tone = try player(of: Self.tone)
            #expect(recorder.waitForSound())
            phone.send(.call(.dialled, .setMuted(true)))
            #expect(recorder.waitForSilence(1))
            phone.send(.call(.dialled, .setMuted(false)))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            phone.send(.call(.dialled, .watchMicrophone(true)))
            #expect(abs(try #require(steadyLevel()) - Self.toneLevel - 10) < 4)
            phone.send(.call(.dialled, .hangUp))
            #expect(phone.waitForEnd(of: .dialled) == SIPEnd(.phone))
            let (next, server) = (SIPCallID(rawValue: 4), try Peers.kamailio())
            phone.send(.call(next, .dial(account: "alice", address: server.address(of: "carol"))))
            far.send(.call(try #require(far.waitForCall()).id, .answer))
            #expect(phone.wait(for: .call(next, .answered)))
            phone.send(.call(next, .watchMicrophone(true)))
            let levels = (0..<20).compactMap { _ in
                phone.wait(seconds: 2) { event -> Double? in
                    if case .call(next, .microphone(let level)) = event { level } else { nil }
                }
            }
            #expect(abs(try #require(levels.last) - Self.toneLevel - 10) < 4)
            tone.end()
            phone.send(.call(next, .hangUp))
            #expect(phone.waitForEnd(of: next) == SIPEnd(.phone))
        }

        @Test func noiseIsSuppressedIfWanted() throws {
            phone.send(.setMicrophone(SIPMicrophone(suppressesNoise: false)))
            let noise = try player(of: Self.noise)
            #expect(recorder.waitForSound())
            recorder.pass(6)
            let open = loudness(seconds: 2)
            phone.send(.setMicrophone(SIPMicrophone(suppressesNoise: true)))
            recorder.pass(4)
            let suppressed = loudness(seconds: 2)
            let decibels = 20 * log10(open / max(suppressed, 1))
            print("noise suppression: \(open) to \(suppressed), \(decibels) dB")
            #expect(decibels > 8)
            phone.send(.setMicrophone(SIPMicrophone(suppressesNoise: false)))
            recorder.pass(4)
            #expect(abs(20 * log10(loudness(seconds: 2) / open)) < 4)
            noise.end()
        }

        private func level(seconds: Double) -> Double? {
            phone.wait(seconds: seconds) { event in
                if case .call(.dialled, .microphone(let level)) = event { level } else { nil }
            }
        }

        /// Returns the last of the levels within a time.
        private func steadyLevel(seconds: Double = 2) -> Double? {
            let end = Date(timeIntervalSinceNow: seconds)
            var last: Double?
            while Date() < end { last = level(seconds: 0.3) ?? last }
            return last
        }

        private func loudness(seconds: Int) -> Double {
            let samples = recorder.samples.suffix(seconds * recorder.rate)
            let sum = samples.reduce(0) { $0 + Double($1) * Double($1) }
            return (sum / Double(samples.count)).squareRoot()
        }

        /// Plays samples at 16,000 Hz to the microphone.
        private func player(of samples: [Int16]) throws -> Child {
            let path = "\(try TemporaryFolders.make("touchtone-microphone"))/samples"
            try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
            return try Child(
                ["paplay", "--raw", "--rate=16000", "--format=s16le", "--channels=1", "-d", "mouth", path],
                environment: sound.environment)
        }

        private static let toneLevel = -24.0

        private static var tone: [Int16] {
            let peak = 32_767 * pow(10, toneLevel / 20)
            return (0..<16_000 * 60).map { Int16(peak * sin(2 * .pi * 500 * Double($0) / 16_000)) }
        }

        private static var noise: [Int16] {
            var random = SplitMix64(seed: 2)
            return (0..<16_000 * 60).map { _ in Int16(Double.random(in: -1500...1500, using: &random)) }
        }
    }
}
