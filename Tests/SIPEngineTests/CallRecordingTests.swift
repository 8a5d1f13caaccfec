// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of recordings of both sides; the user's microphone whistles.
    @Suite struct CallRecordings {
        private let sound: SoundServer
        private let call: CallFixture
        private let folder: String

        init() throws {
            sound = try SoundServer()
            try sound.addMicrophone("whistle", frequency: 900)
            let engine = try EngineProcess(on: sound)
            call = try CallFixture(engine)
            folder = try TemporaryFolders.make("touchtone-recording")
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:whistle")))
        }

        /// Makes a call to somebody who says a tone.
        private func dial(_ id: SIPCallID = .dialled, saying frequency: Double, tag: String) throws
            -> SoundPeer
        {
            let peer = try SoundPeer()
            call.engine.send(.call(id, .dial(account: "alice", address: "sip:\(tag)@127.0.0.1")))
            let invite = try #require(
                call.far.receive { $0.hasPrefix("INVITE ") && !$0.contains(";tag=\(tag)") })
            call.far.answer(invite, session: ScriptedRegistrar.session(port: peer.port), tag: tag)
            peer.connect(to: invite)
            peer.say(frequency)
            #expect(call.engine.wait(for: .call(id, .answered)))
            #expect(peer.waitForTone(900))
            return peer
        }

        private func record(_ id: SIPCallID = .dialled, withTone: Bool) {
            let file = MachineFixture.openForWriting("\(folder)/call.ogg")
            call.engine.send(.record(withTone: withTone), to: id, with: file)
            close(file)
        }

        private func waitForRecorded(_ id: SIPCallID = .dialled) throws -> SIPRecorded {
            try #require(
                call.engine.wait { if case .call(id, .recorded(let recorded)) = $0 { recorded } else { nil } }
            )
        }

        /// Answers the next request for a new session, or the end of a call.
        private func answer(_ method: String, _ session: String) throws {
            let request = try #require(call.request(method))
            if method == "INVITE" {
                call.far.answer(request, session: session)
            } else {
                call.far.reply(to: request, "200 OK")
            }
        }

        private func decoded() throws -> DecodedSound { try DecodedSound(opus: "\(folder)/call.ogg") }

        @Test func sidesAreRecordedAndHearTheTone() throws {
            let recorder = try sound.record()
            let peer = try dial(saying: 600, tag: "one")
            defer { peer.end() }
            peer.forget()
            let start = recorder.samples.count
            record(withTone: true)
            peer.goOn(seconds: 17)
            let (heard, played) = (peer.heard, Array(recorder.samples[start...]))
            call.engine.send(.call(.dialled, .stopRecording))
            let recorded = try waitForRecorded()
            #expect(recorded.end == .stopped && !recorded.isSilent && abs(recorded.seconds - 17) < 1)
            let file = try decoded()
            #expect(file.channels.count == 2)
            #expect(file.level(of: 600, from: 2, for: 5, channel: 0) > 0.1)
            #expect(file.level(of: 600, from: 2, for: 5, channel: 1) < 0.02)
            #expect(file.level(of: 900, from: 2, for: 5, channel: 1) > 0.05)
            #expect(file.level(of: 900, from: 2, for: 5, channel: 0) < 0.02)
            let user = DecodedSound(channels: [played.map { Double($0) / 32_768 }], rate: recorder.rate)
            for (sound, channel) in [(heard, 0), (user, 0), (file, 0), (file, 1)] {
                let tones = sound.parts(with: 1_400, above: 0.1, channel: channel)
                #expect(tones.count == 2)
                #expect(tones.allSatisfy { abs($0.upperBound - $0.lowerBound - 0.2) < 0.15 })
                #expect(abs((tones.last?.lowerBound ?? 0) - (tones.first?.lowerBound ?? 0) - 15) < 0.3)
            }
            call.engine.send(.call(.dialled, .hangUp))
        }

        @Test func holdPausesAndMuteSilencesRecording() throws {
            let peer = try dial(saying: 600, tag: "one")
            defer { peer.end() }
            record(withTone: false)
            peer.goOn(seconds: 1.5)
            let session = ScriptedRegistrar.session(port: peer.port)
            call.engine.send(.call(.dialled, .hold))
            try answer("INVITE", session.replacingOccurrences(of: "sendrecv", with: "recvonly"))
            peer.goOn(seconds: 2)
            call.engine.send(.call(.dialled, .resume))
            try answer("INVITE", session)
            #expect(peer.waitForTone(900))
            call.engine.send(.call(.dialled, .setMuted(true)))
            peer.goOn(seconds: 1.5)
            call.engine.send(.call(.dialled, .hangUp))
            let recorded = try waitForRecorded()
            #expect(recorded.end == .ended)
            try answer("BYE", session)
            #expect(call.engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            let file = try decoded()
            #expect((2.5..<5).contains(file.length), "two seconds of hold are not there: \(file.length)")
            #expect(file.level(of: 900, from: file.length - 1, for: 0.9, channel: 1) < 0.02)
            #expect(file.level(of: 600, from: file.length - 1, for: 0.9, channel: 0) > 0.1)
            #expect(peer.heard.parts(with: 1_400).isEmpty)
        }

        /// All parties are recorded, the others left.
        @Test func joinedCallsAreRecorded() throws {
            let first = try dial(saying: 600, tag: "one")
            call.engine.send(.call(.dialled, .hold))
            try answer(
                "INVITE",
                ScriptedRegistrar.session(port: first.port, direction: "recvonly"))
            let second = try dial(.second, saying: 1_200, tag: "two")
            defer { [first, second].forEach { $0.end() } }
            call.engine.send(.call(.dialled, .join(with: .second)))
            try answer("INVITE", ScriptedRegistrar.session(port: first.port))
            #expect(first.waitForTone(1_200))
            [first, second].forEach { $0.forget() }
            record(withTone: true)
            first.goOn(seconds: 3)
            let heard = [first.heard, second.heard]
            call.engine.send(.call(.dialled, .stopRecording))
            #expect(try waitForRecorded().end == .stopped)
            let file = try decoded()
            for (frequency, channel, other) in [(600.0, 0, 1), (1_200, 0, 1), (900, 1, 0)] {
                let level = file.level(of: frequency, from: 1, for: 1.5, channel: channel)
                #expect(level > 0.05)
                // A gap on a busy machine is a click, which has all frequencies.
                #expect(file.level(of: frequency, from: 1, for: 1.5, channel: other) < level / 4)
            }
            for sound in heard { #expect(sound.parts(with: 1_400).count == 1) }
            for id in [SIPCallID.dialled, .second] { call.engine.send(.call(id, .hangUp)) }
        }
    }
}
