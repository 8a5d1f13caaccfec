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
            try sound.load([
                "module-null-sink sink_name=headset",
                "module-null-source source_name=desk", "module-null-source source_name=boom",
                "module-sine-source source_name=whistle frequency=440",
            ])
            engine = try EngineProcess(on: sound)
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

        /// Connects the phone to carol and dave, and joins the calls.
        ///
        /// Returns their phones, of which carol's plays on the recorded device.
        private func join() throws -> [EngineProcess] {
            let server = try Peers.kamailio()
            let phones = [
                try EngineProcess(on: sound),
                try EngineProcess(),
            ]
            phones[0].send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:desk")))
            #expect(engine.register(.at(server)) == .registered)
            for (phone, (id, user)) in zip(phones, [(SIPCallID.dialled, "carol"), (.second, "dave")]) {
                #expect(phone.register(.at(server, user: user)) == .registered)
                engine.send(.call(id, .dial(account: "alice", address: server.address(of: user))))
                phone.send(.call(try #require(phone.waitForCall()).id, .answer))
                #expect(engine.wait(for: .call(id, .answered)))
                if id == .dialled { engine.send(.call(id, .hold)) }
            }
            engine.send(.call(.dialled, .join(with: .second)))
            return phones
        }

        private func hangUp(_ phones: [EngineProcess]) {
            for id in [SIPCallID.dialled, .second] {
                engine.send(.call(id, .hangUp))
                #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
            }
        }

        @Test func joinedCallsMoveToOtherDevices() throws {
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:desk")))
            let phones = try join()
            phones[0].kill()
            #expect(try waitForDevices("headset", "desk"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:boom")))
            #expect(try waitForDevices("phone", "boom"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:boom")))
            #expect(try waitForDevices("headset", "boom"))
            hangUp(phones)
        }

        @Test func microphoneOfJoinedCallsIsMuted() throws {
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:whistle")))
            let recorder = try sound.record()
            let phones = try join()
            #expect(recorder.waitForSound(after: recorder.samples.count))
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .setMuted(true))) }
            #expect(recorder.waitForSilence(1))
            // A stream that is opened again is muted, too.
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:desk")))
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:whistle")))
            recorder.pass(1)
            // An open microphone whistles without end, so any second of silence shows that it is muted.
            #expect(recorder.waitForSilence(1))
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .setMuted(false))) }
            #expect(recorder.waitForSound(after: recorder.samples.count))
            hangUp(phones)
        }

        /// A third far end, which hums, is heard by the first one through this phone while all are joined.
        @Test func thirdCallIsJoinedWithTwo() throws {
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:desk")))
            let recorder = try sound.record()
            let phones = try join()
            let (server, bob) = (try Peers.kamailio(), try Peers.bob())
            let third = SIPCallID(rawValue: 6)
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .hold)) }
            engine.send(.call(third, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(third, .answered)))
            #expect(recorder.waitForSilence(1), "whoever is on hold hears nothing of it")
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .join(with: third))) }
            #expect(recorder.waitForSound(after: recorder.samples.count))
            engine.send(.call(third, .hold))
            #expect(recorder.waitForSilence(1), "one of three is on hold")
            engine.send(.call(third, .resume))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            for id in [SIPCallID.dialled, .second, third] { engine.send(.call(id, .hold)) }
            #expect(recorder.waitForSilence(1), "all are on hold")
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .resume)) }
            #expect(recorder.waitForSilence(1), "the third is on hold still")
            engine.send(.call(third, .join(with: .dialled)))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            engine.send(.call(third, .hangUp))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
            hangUp(phones)
        }

        /// Waits until the phone plays on its device, or does not.
        private func waitForPlayback(_ isPlaying: Bool) throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < deadline {
                if try used("sink-inputs", "sinks").contains("headset") == isPlaying { return true }
            }
            return false
        }

        /// The first of two joined calls hears the user, whose microphone whistles, only while it is not on hold.
        @Test func joinedCallsAreHeldResumedAndSeparated() throws {
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:whistle")))
            let recorder = try sound.record()
            let phones = try join()
            let (server, bob) = (try Peers.kamailio(), try Peers.bob())
            let third = SIPCallID(rawValue: 6)
            #expect(recorder.waitForSound(after: recorder.samples.count))
            // The first call was on hold before it was joined.
            for isHeld in [true, false] { #expect(phones[0].waitForHold(isHeld)) }
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .hold)) }
            #expect(recorder.waitForSilence(1))
            for phone in phones { #expect(phone.waitForHold(true)) }
            #expect(try waitForPlayback(false), "the user has left")
            engine.send(.call(third, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(third, .answered)))
            #expect(try waitForPlayback(true))
            #expect(recorder.waitForSilence(1))
            engine.send(.call(third, .hold))
            for id in [SIPCallID.dialled, .second] { engine.send(.call(id, .resume)) }
            #expect(recorder.waitForSound(after: recorder.samples.count))
            for phone in phones { #expect(phone.waitForHold(false)) }
            engine.send(.call(third, .hangUp))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
            engine.send(.call(.second, .hold))
            #expect(phones[1].waitForHold(true))
            #expect(recorder.waitForSound(after: recorder.samples.count), "the first goes on")
            // They change places.
            engine.send(.call(.dialled, .hold))
            engine.send(.call(.second, .resume))
            #expect(phones[0].waitForHold(true))
            #expect(phones[1].waitForHold(false))
            #expect(recorder.waitForSilence(1))
            // The one that is left is resumed alone.
            engine.send(.call(.second, .hangUp))
            #expect(engine.waitForEnd(of: .second) == SIPEnd(.phone))
            engine.send(.call(.dialled, .resume))
            #expect(phones[0].waitForHold(false))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        @Test func callOutlastsUnpluggedDevices() throws {
            let server = try Peers.kamailio()
            let bob = try Peers.bob()
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:boom")))
            #expect(engine.register(.at(server)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(try waitForDevices("headset", "boom"))
            for device in ["headset", "boom"] { try unplug(device) }
            // The phone chooses others, or the same ones again.
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:boom")))
            engine.send(.setDevices(SIPDevices()))
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(bob.wait(for: "CALL_DTMF_START") == "5")
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:desk")))
            #expect(try waitForDevices("phone", "desk"))
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        /// Removes a device from the sound server.
        private func unplug(_ device: String) throws {
            let module = try rows("modules").first { $0.count > 2 && $0[2].contains("_name=\(device)") }
            _ = try output(
                of: ["pactl", "unload-module", try #require(module)[0]], environment: sound.environment)
        }

        @Test func runningCallMovesToOtherDevices() throws {
            let server = try Peers.kamailio()
            let bob = try Peers.bob()
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:desk")))
            #expect(engine.register(.at(server)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(try waitForDevices("phone", "desk"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:headset", capture: "pulse:boom")))
            #expect(try waitForDevices("headset", "boom"))
            engine.send(.setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:boom")))
            #expect(try waitForDevices("phone", "boom"))
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }
    }
}
