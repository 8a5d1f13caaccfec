// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of calls over Jabber without encryption, with a far end that knows none: Tests/Tools/plain_peer.py.
    @Suite struct PlainCalls {
        private static let pitch = 440, farPitch = 1_000
        private let engine: EngineProcess
        private let recording: String
        private let port: UInt16

        init() throws {
            let folder = try TemporaryFolders.make("touchtone-plain")
            recording = "\(folder)/recorded.wav"
            try Self.tone(seconds: 60).write(to: URL(fileURLWithPath: "\(folder)/played.wav"))
            try Data().write(to: URL(fileURLWithPath: recording))
            engine = try EngineProcess(
                environment: ["TOUCHTONE_SIP_FILES": "\(folder)/played.wav:\(recording)"])
            port = freePorts(1)[0]
        }

        /// The offer of the far end.
        private func offer(isEncrypted: Bool = false) throws -> MediaDescription {
            let certificate = Array(repeating: "AB", count: 32).joined(separator: ":")
            let formats = [
                MediaDescription.Format(0, "PCMU", rate: 8_000),
                MediaDescription.Format(101, "telephone-event", rate: 8_000),
            ]
            let candidate = MediaDescription.Candidate(
                foundation: "1", priority: 2_130_706_431, address: Coturn.host, port: port, kind: .host)
            let made = MediaDescription(
                formats: formats.compactMap(\.self), user: "farUser", password: "farPasswordfarPassword",
                fingerprint: isEncrypted ? MediaDescription.Fingerprint(.sha256, certificate) : nil,
                role: .either, candidates: [candidate].compactMap(\.self))
            return try #require(made)
        }

        private func description() throws -> MediaDescription {
            try #require(
                engine.wait { if case .call(.dialled, .described(let media)) = $0 { media } else { nil } })
        }

        /// Takes the far end's call, and connects it.
        private func connect() throws -> Child {
            engine.send(.call(.dialled, .prepareAnswer(to: try offer(), MediaRoute())))
            let answer = try description()
            #expect(!answer.isEncrypted)
            let candidate = try #require(answer.candidates.first { !$0.address.contains(":") })
            let far = try Child(
                [
                    "/usr/bin/python3", "\(Checkout.folder)/Tests/Tools/plain_peer.py", Coturn.host,
                    "\(port)", "farUser",
                    "farPasswordfarPassword", "\(candidate.port)", answer.user, answer.password,
                    "\(Self.farPitch)", "\(Self.pitch)",
                ])
            #expect(engine.wait(for: .call(.dialled, .connected)))
            return far
        }

        @Test func soundGoesBothWaysAndSaysThatItIsOpen() throws {
            let far = try connect()
            defer { far.end() }
            #expect(far.readLine() == "heard")
            engine.send(.call(.dialled, .measure))
            let quality = try #require(
                engine.wait { if case .call(.dialled, .quality(let quality)) = $0 { quality } else { nil } })
            #expect(quality.encryption == "" && quality.codec == "PCMU")
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(far.readLine() == "key 5")
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(engine.end() == 0)
            let share = try share(of: Self.farPitch)
            #expect(share > 0.8, "the phone hears \(share)")
        }

        @Test func callIsHeldAndResumed() throws {
            let far = try connect()
            defer { far.end() }
            #expect(far.readLine() == "heard")
            for isHeld in [true, false] {
                engine.send(.call(.dialled, .setHeldByFarEnd(isHeld)))
                #expect(engine.wait(for: .call(.dialled, .heldByFarEnd(isHeld))))
            }
            for command in [SIPCallCommand.hold, .resume] { engine.send(.call(.dialled, command)) }
            engine.send(.call(.dialled, .sendKey("7")))
            #expect(far.readLine() == "key 7")
        }

        /// The phone offers encryption, so that an answer without it is none.
        @Test func answerWithoutEncryptionIsRefused() throws {
            engine.send(.call(.dialled, .prepareOffer(MediaRoute())))
            #expect(try description().isEncrypted)
            engine.send(.call(.dialled, .connect(try offer())))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 488))
        }

        @Test func offerWithEncryptionIsAnsweredWithIt() throws {
            engine.send(.call(.dialled, .prepareAnswer(to: try offer(isEncrypted: true), MediaRoute())))
            #expect(try description().isEncrypted)
        }

        /// Returns which part of the power a tone has in the middle of what the phone has played.
        private func share(of pitch: Int) throws -> Double {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: recording)))
            #expect(bytes.count > 44)
            let (channels, rate) = (Int(bytes[22]), Int(bytes[24]) | Int(bytes[25]) << 8)
            let samples = stride(from: 44, to: bytes.count - 1, by: 2 * channels).map {
                Double(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
            }
            let middle = samples.suffix(samples.count / 2).prefix(rate / 2)
            let factor = 2 * cos(2 * .pi * Double(pitch) / Double(rate))
            var (before, last, power) = (0.0, 0.0, 0.0)
            for sample in middle {
                (before, last) = (last, sample + factor * last - before)
                power += sample * sample
            }
            let found = (before * before + last * last - factor * before * last) * 2 / Double(middle.count)
            return power > Double(middle.count) * 10_000 ? found / power : 0
        }

        /// Returns a WAV file with a tone, at 16,000 Hz.
        private static func tone(seconds: Int) -> Data {
            let samples = (0..<16_000 * seconds).map {
                Int16(8_000 * sin(2 * .pi * Double(pitch) * Double($0) / 16_000))
            }
            func bytes(_ value: UInt32) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
            let sound = samples.withUnsafeBytes { Data($0) }
            return Data("RIFF".utf8) + bytes(UInt32(36 + sound.count)) + Data("WAVEfmt ".utf8) + bytes(16)
                + bytes(1 | 1 << 16) + bytes(16_000) + bytes(32_000) + bytes(2 | 16 << 16)
                + Data("data".utf8) + bytes(UInt32(sound.count)) + sound
        }
    }
}
