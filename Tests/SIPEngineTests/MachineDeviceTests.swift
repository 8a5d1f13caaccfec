// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the answering machine beside the user's sound devices, whose microphone whistles.
    @Suite struct MachineDevices {
        private let sound: SoundServer
        private let machine: MachineFixture

        init() throws {
            sound = try SoundServer()
            try sound.addMicrophone("whistle", frequency: 800)
            let engine = try EngineProcess(on: sound)
            machine = try MachineFixture(engine)
            engine.send(
                .setDevices(
                    SIPDevices(playback: "pulse:phone", capture: "pulse:whistle", ringing: "pulse:phone")))
        }

        /// Returns the number of streams of programs; those of the server itself have no client.
        private func streams(_ kind: String) throws -> Int {
            try output(of: ["pactl", "list", "short", kind], environment: sound.environment)
                .split(separator: "\n").count { $0.split(separator: "\t").dropFirst(2).first != "-" }
        }

        /// The microphone is not even opened before the user takes the call.
        @Test func userTakesCallOver() throws {
            try machine.answer()
            #expect(machine.waitForRecording())
            machine.caller.say(600)
            machine.caller.goOn(seconds: 1.5)
            #expect(try streams("source-outputs") == 0 && streams("sink-inputs") == 0)
            #expect(machine.caller.heard.parts(with: 800).isEmpty)
            machine.engine.send(.call(machine.id, .takeOver))
            let recorded = try machine.waitForRecorded()
            #expect(recorded.end == .stopped && !recorded.isSilent && recorded.seconds > 1)
            #expect(machine.caller.waitForTone(800))
            #expect(try streams("source-outputs") == 1 && streams("sink-inputs") == 1)
            #expect(try machine.decoded().parts(with: 600).count == 1)
            // The machine has no part in the call any more.
            machine.caller.say(nil)
            machine.caller.pressHash()
            #expect(machine.engine.wait(for: .call(machine.id, .keyReceived("#"))))
            machine.caller.forget()
            #expect(machine.caller.waitForTone(800))
            machine.engine.send(.call(machine.id, .hangUp))
            try machine.expectEnd()
        }

        @Test func greetingEndsWhenUserTakesCall() throws {
            try machine.answer(greeting: machine.greeting(seconds: 20))
            #expect(machine.caller.waitForTone(450))
            machine.engine.send(.call(machine.id, .takeOver))
            #expect(try machine.waitForRecorded() == SIPRecorded(.stopped, seconds: 0, isSilent: true))
            #expect(machine.caller.waitForTone(800))
            machine.caller.forget()
            #expect(machine.caller.waitForTone(800))
            #expect(machine.caller.heard.parts(with: 450).isEmpty)
            try machine.hangUp()
        }

        @Test func callerIsHeardOnlyIfWanted() throws {
            let recorder = try sound.record()
            machine.caller.say(600)
            try machine.answer(isAloud: true)
            #expect(machine.waitForRecording())
            #expect(recorder.waitForSound(after: recorder.samples.count))
            machine.engine.send(.call(machine.id, .setAloud(false)))
            #expect(recorder.waitForSilence(0.5))
            machine.engine.send(.call(machine.id, .setAloud(true)))
            #expect(recorder.waitForSound(after: recorder.samples.count))
            // Only the test records.
            #expect(try streams("source-outputs") == 1)
            try machine.hangUp()
            let recorded = try machine.waitForRecorded()
            #expect(recorded.end == .ended)
            #expect(try machine.decoded().parts(with: 600).count == 1)
        }

        @Test func callerOfQuietMachineIsNotHeard() throws {
            let recorder = try sound.record()
            machine.caller.say(600)
            try machine.answer()
            #expect(machine.waitForRecording())
            let start = recorder.samples.count
            recorder.pass(1)
            #expect(!recorder.samples[start...].contains { abs(Int($0)) > 2 })
            machine.engine.send(.call(machine.id, .setAloud(true)))
            #expect(recorder.waitForSound(after: start))
            try machine.hangUp()
        }

        /// A call of the user goes on while the machine has another one.
        @Test func otherCallGoesOn() throws {
            let friend = try SoundPeer()
            defer { friend.end() }
            let invite = try machine.call.dial()
            machine.call.far.answer(
                invite, session: ScriptedRegistrar.session(port: friend.port), tag: "friend")
            friend.connect(to: invite)
            #expect(machine.engine.wait(for: .call(.dialled, .answered)))
            #expect(friend.waitForTone(800))
            try machine.answer()
            #expect(machine.waitForRecording())
            machine.caller.say(600)
            friend.forget()
            #expect(friend.waitForTone(800))
            // A stream of the user's that begins anew has the devices, too.
            machine.engine.send(
                .setDevices(SIPDevices(playback: "pulse:phone", capture: "pulse:whistle")))
            usleep(500_000)
            friend.forget()
            #expect(friend.waitForTone(800))
            #expect(machine.caller.heard.parts(with: 800).isEmpty)
            #expect(machine.call.request("INVITE", tag: "friend", seconds: 0.1) == nil, "it was not held")
            try machine.hangUp()
            #expect(try machine.waitForRecorded().end == .ended)
            friend.forget()
            #expect(friend.waitForTone(800))
            let message = try machine.decoded()
            #expect(message.level(of: 600, from: 0, for: message.length) > 0.05)
            #expect(message.level(of: 800, from: 0, for: message.length) < 0.01)
            machine.engine.send(.call(.dialled, .hangUp))
        }
    }
}
