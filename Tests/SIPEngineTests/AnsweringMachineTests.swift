// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

/// A step of the machine at which a call ends.
enum MachineStep: CaseIterable, Sendable {
    case answered, greeting, tone, recording
    /// The caller has said something.
    case message
}

extension SIPEngineTests {
    /// Tests of the answering machine, whose messages opusdec reads.
    @Suite struct AnsweringMachine {
        @Test func callerHearsGreetingAndToneAndLeavesMessage() throws {
            let machine = try MachineFixture()
            try machine.answer()
            #expect(machine.waitForRecording())
            let heard = machine.caller.heard
            let greeting = try #require(heard.parts(with: 450).first)
            let tone = try #require(heard.parts(with: 1_000).first)
            #expect(abs(greeting.upperBound - greeting.lowerBound - 1) < 0.1)
            #expect(abs(tone.upperBound - tone.lowerBound - 0.5) < 0.1)
            #expect(abs(tone.lowerBound - greeting.upperBound - 0.25) < 0.1)
            // Tones of known lengths at known times.
            machine.caller.say((nil, 1), (600, 1), (nil, 0.5), (1_200, 1), (nil, 0.3))
            try machine.hangUp()
            let recorded = try machine.waitForRecorded()
            #expect(recorded.end == .ended && !recorded.isSilent)
            #expect(machine.engine.waitForEnd(of: machine.id)?.side == .farEnd)
            let sound = try machine.decoded()
            #expect(sound.channels.count == 1)
            #expect(abs(sound.length - recorded.seconds) < 0.1)
            let (first, second) = (sound.parts(with: 600), sound.parts(with: 1_200))
            #expect(first.count == 1 && second.count == 1)
            #expect(abs((first.first?.lowerBound ?? 0) - 1) < 0.4)
            #expect(abs((first.first.map { $0.upperBound - $0.lowerBound } ?? 0) - 1) < 0.15)
            #expect(
                abs((second.first?.lowerBound ?? 0) - (first.first?.upperBound ?? 0) - 0.5) < 0.15)
            #expect(sound.parts(with: 450).isEmpty, "the machine does not record itself")
        }

        @Test func hashEndsMessage() throws {
            let machine = try MachineFixture()
            try machine.answer()
            #expect(machine.waitForRecording())
            machine.caller.say((600, 1))
            machine.caller.pressHash()
            let recorded = try machine.waitForRecorded()
            #expect(recorded.end == .key && !recorded.isSilent)
            try machine.expectEnd()
            #expect(try machine.decoded().parts(with: 600).count == 1)
        }

        @Test func hashByInfoEndsMessage() throws {
            let machine = try MachineFixture()
            try machine.answer(greeting: machine.greeting(seconds: 20))
            #expect(machine.caller.waitForTone(450))
            let relay = "Signal=#\r\nDuration=100\r\n"
            // The first one ends the greeting.
            for sequence in 2...3 {
                if sequence == 3 { #expect(machine.waitForRecording()) }
                machine.call.far.send(
                    machine.call.far.request(
                        "INFO", callID: machine.call.callID, sequence: sequence, body: relay,
                        toTag: machine.tag
                    ).replacingOccurrences(of: "application/sdp", with: "application/dtmf-relay"))
                #expect(try machine.call.response(sequence: sequence, "INFO").hasPrefix("SIP/2.0 200"))
            }
            #expect(try machine.waitForRecorded().end == .key)
            try machine.expectEnd()
        }

        @Test func silenceEndsMessage() throws {
            let machine = try MachineFixture()
            try machine.answer()
            #expect(machine.waitForRecording())
            // Nothing comes at all for a part of the time.
            machine.caller.setSends(false)
            let recorded = try machine.waitForRecorded(seconds: 15)
            #expect(recorded.end == .silence && recorded.isSilent)
            #expect(abs(recorded.seconds - 10) < 1)
            try machine.expectEnd()
        }

        @Test func limitEndsMessageWithTwoTones() throws {
            let machine = try MachineFixture()
            try machine.answer(limit: 5)
            #expect(machine.waitForRecording())
            machine.caller.say(600)
            machine.caller.forget()
            let recorded = try machine.waitForRecorded()
            #expect(recorded.end == .limit)
            #expect(abs(recorded.seconds - 5) < 0.5)
            #expect(machine.caller.heard.parts(with: 1_000).count == 2)
            try machine.expectEnd()
        }

        /// A caller may hang up at any time, and the phone, too.
        @Test(arguments: MachineStep.allCases, [true, false])
        func callEndsInEachStep(_ step: MachineStep, byCaller: Bool) throws {
            let machine = try MachineFixture()
            try machine.answer()
            switch step {
            case .answered: break
            case .greeting: #expect(machine.caller.waitForTone(450))
            case .tone: #expect(machine.caller.waitForTone(1_000))
            case .recording: #expect(machine.waitForRecording())
            case .message:
                #expect(machine.waitForRecording())
                machine.caller.say((600, 0.5))
            }
            if byCaller { try machine.hangUp() } else { machine.engine.send(.call(machine.id, .hangUp)) }
            #expect(try machine.waitForRecorded().end == .ended)
            if !byCaller {
                machine.call.far.reply(to: try #require(machine.call.request("BYE")), "200 OK")
            }
            #expect(machine.engine.waitForEnd(of: machine.id) != nil)
            #expect(machine.call.far.isAnswered())
        }

        @Test(arguments: ["/dev/null", "/etc/passwd"]) func brokenGreetingIsSkipped(_ path: String) throws {
            let machine = try MachineFixture()
            try machine.answer(greeting: path)
            #expect(machine.waitForRecording())
            #expect(machine.caller.heard.parts(with: 1_000).count == 1)
            try machine.hangUp()
            #expect(try machine.waitForRecorded().end == .ended)
        }

        /// The far end holds the call and resumes it, with another format.
        @Test func sessionChangesInTheMiddle() throws {
            let machine = try MachineFixture()
            try machine.answer(greeting: machine.greeting(seconds: 3))
            #expect(machine.caller.waitForTone(450))
            let session = ScriptedRegistrar.session(port: machine.caller.port)
            for (sequence, direction) in [(2, "sendonly"), (3, "sendrecv")] {
                let answer = try machine.call.exchange(
                    "INVITE", sequence: sequence,
                    body: session.replacingOccurrences(of: "a=sendrecv", with: "a=\(direction)"),
                    tag: machine.tag)
                #expect(answer.hasPrefix("SIP/2.0 200"))
                machine.caller.connect(to: answer)
                machine.caller.say((nil, 0.5))
            }
            #expect(machine.waitForRecording())
            machine.caller.say((600, 1))
            let answer = try machine.call.exchange(
                "INVITE", sequence: 4,
                body: session.replacingOccurrences(of: "a=sendrecv", with: "a=inactive"),
                tag: machine.tag)
            #expect(answer.hasPrefix("SIP/2.0 200"))
            machine.caller.setSends(false)
            // A call in which nothing comes or goes any more ends, too.
            let recorded = try machine.waitForRecorded(seconds: 20)
            #expect(recorded.end == .silence && !recorded.isSilent)
            try machine.expectEnd()
            #expect(try machine.decoded().parts(with: 600).count == 1)
        }

        /// A stranger could otherwise make the phone call whomever they like, at the user's expense, while nobody is there.
        @Test(arguments: [true, false]) func callerCannotSendMachineElsewhere(isRecording: Bool) throws {
            let machine = try MachineFixture()
            try machine.answer(greeting: machine.greeting(seconds: isRecording ? 1 : 20))
            if isRecording { #expect(machine.waitForRecording()) }
            let answer = try machine.call.exchange(
                "REFER", sequence: 2, fields: "Refer-To: <sip:0900123@127.0.0.1>\r\n", tag: machine.tag)
            #expect(answer.hasPrefix("SIP/2.0 603"), "\(answer)")
            #expect(machine.call.request("INVITE", seconds: 0.5) == nil)
            try machine.hangUp(sequence: 3)
            #expect(try machine.waitForRecorded().end == .ended)
            #expect(machine.engine.waitForEnd(of: machine.id)?.side == .farEnd)
        }

        /// Once the user has the call, it can be transferred as any other.
        @Test func callThatIsTakenOverCanBeTransferred() throws {
            let machine = try MachineFixture()
            try machine.answer()
            machine.engine.send(.call(machine.id, .takeOver))
            #expect(try machine.waitForRecorded().end == .stopped)
            let answer = try machine.call.exchange(
                "REFER", sequence: 2, fields: "Refer-To: <sip:other@127.0.0.1>\r\n", tag: machine.tag)
            #expect(answer.hasPrefix("SIP/2.0 202"), "\(answer)")
        }

        /// The caller gives up in the moment in which the machine answers.
        @Test(arguments: [true, false]) func callerGivesUpWhileMachineAnswers(isAnsweredFirst: Bool) throws {
            let machine = try MachineFixture()
            let (call, engine) = (machine.call, machine.engine)
            for round in 1...5 {
                let callID = "\(call.callID)-\(round)"
                let branch = "z9hG4bK-\(callID)"
                let invite = call.far.request(
                    "INVITE", callID: callID, branch: branch, body: ScriptedRegistrar.session)
                call.far.send(invite)
                let id = try #require(engine.waitForCall()).id
                let cancel = call.far.request("CANCEL", callID: callID, branch: branch)
                let files = [
                    open(try machine.greeting(), O_RDONLY | O_CLOEXEC),
                    MachineFixture.openForWriting(machine.recording),
                ]
                defer { files.forEach { close($0) } }
                engine.send(.setGreeting, to: id, with: files[0])
                if !isAnsweredFirst { call.far.send(cancel) }
                engine.send(.useMachine(limit: 60, isAloud: false), to: id, with: files[1])
                engine.send(.call(id, .answer))
                if isAnsweredFirst { call.far.send(cancel) }
                // Whichever comes first, the call ends when the caller has gone.
                let end = engine.wait { event -> Bool? in
                    switch event {
                    case .call(id, .ended): true
                    case .call(id, .answered): false
                    default: nil
                    }
                }
                if end == false { engine.send(.call(id, .hangUp)) }
                #expect(end == true || engine.waitForEnd(of: id) != nil)
                #expect(call.far.isAnswered())
            }
        }

        @Test func floodOfKeysDoesNoHarm() throws {
            let machine = try MachineFixture()
            try machine.answer(greeting: machine.greeting(seconds: 20))
            for sequence in 2..<60 {
                machine.call.far.send(
                    machine.call.far.request(
                        "INFO", callID: machine.call.callID, sequence: sequence,
                        body: "Signal=\("0123456789*ABCD#".randomElement() ?? "1")\r\nDuration=100\r\n",
                        toTag: machine.tag
                    ).replacingOccurrences(of: "application/sdp", with: "application/dtmf-relay"))
            }
            _ = try? machine.hangUp(sequence: 100)
            _ = try machine.waitForRecorded()
            #expect(machine.engine.waitForEnd(of: machine.id) != nil)
            #expect(machine.call.far.isAnswered())
        }

        /// The message until the engine was killed is read.
        @Test func killedEngineLeavesReadableFile() throws {
            let machine = try MachineFixture()
            try machine.answer()
            #expect(machine.waitForRecording())
            machine.caller.say((600, 4))
            machine.engine.kill()
            let part = try #require(machine.decoded().parts(with: 600).first)
            #expect(part.upperBound - part.lowerBound > 2.8)
        }

        /// A disk without room ends the call, and what fits remains.
        @Test func fullDiskEndsCall() throws {
            let engine = try EngineProcess(
                prefix: ["sh", "-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\""],
                environment: ["TOUCHTONE_SIP_FILES": ""])
            let machine = try MachineFixture(engine)
            try machine.answer()
            #expect(machine.waitForRecording())
            machine.caller.say(600)
            #expect(try machine.waitForRecorded().end == .failed)
            try machine.expectEnd()
            #expect(try machine.decoded().parts(with: 600).count == 1)
        }

        /// Without a file, nobody answers: the far end would hear the room.
        @Test func machineWithoutFileAnswersNothing() throws {
            let machine = try MachineFixture()
            machine.call.far.send(
                machine.call.far.request(
                    "INVITE", callID: machine.call.callID, body: ScriptedRegistrar.session))
            let id = try #require(machine.engine.waitForCall()).id
            machine.engine.send(.call(id, .useMachine(limit: 60, isAloud: false)))
            machine.engine.send(.call(id, .answer))
            #expect(try !machine.call.response().hasPrefix("SIP/2.0 2"))
            #expect(machine.engine.waitForEnd(of: id) != nil)
        }
    }
}
