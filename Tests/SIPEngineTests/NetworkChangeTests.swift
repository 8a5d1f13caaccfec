// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of a network that changes in each state of a call.
    @Suite struct NetworkChanges {
        /// A state of a call, with what the far end has not answered yet.
        enum State: CaseIterable {
            case dialled, trying, ringing, earlyMedia, cancelled
            case answered, holding, held, resuming, ending
            case incoming, unacknowledged
        }

        @Test(arguments: State.allCases, [false, true])
        func engineSurvivesChange(in state: State, isOff: Bool) throws {
            let fixture = try CallFixture()
            let id = try bring(fixture, to: state)
            if isOff {
                fixture.engine.send(.setNetwork(isAvailable: false))
                fixture.engine.send(.setNetwork(isAvailable: true))
            } else {
                fixture.engine.send(.refresh)
            }
            try answerAll(fixture, seconds: 1.5)
            fixture.engine.send(.call(id, .hangUp))
            try answerAll(fixture, seconds: 0.5)
            fixture.engine.send(.heartbeat(1))
            #expect(fixture.engine.wait(for: .heartbeat(1)))
            #expect(fixture.engine.isRunning)
        }

        /// liblinphone cancels a change that was under way, and sends another once the far end has confirmed that.
        ///
        /// The call may have ended by then.
        @Test(arguments: [false, true]) func callEndsWhileItsChangeIsCancelled(isByeAnswered: Bool) throws {
            let fixture = try CallFixture()
            fixture.far.answer(try fixture.dial())
            #expect(fixture.engine.wait(for: .call(.dialled, .answered)))
            #expect(fixture.request("ACK") != nil)
            fixture.engine.send(.call(.dialled, .hold))
            let change = try #require(fixture.request("INVITE"))
            fixture.far.reply(to: change, "100 Trying")
            fixture.engine.send(.setNetwork(isAvailable: false))
            fixture.engine.send(.setNetwork(isAvailable: true))
            let cancel = try #require(requestOtherThanRegister(fixture, "CANCEL "))
            fixture.far.reply(to: cancel, "200 OK")
            fixture.engine.send(.call(.dialled, .hangUp))
            let bye = try #require(requestOtherThanRegister(fixture, "BYE "))
            if isByeAnswered { fixture.far.reply(to: bye, "200 OK") }
            #expect(fixture.engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            fixture.far.reply(to: change, "487 Request Terminated")
            fixture.engine.send(.heartbeat(1))
            #expect(fixture.engine.wait(for: .heartbeat(1)))
            #expect(fixture.request("ACK") != nil)
            fixture.engine.send(.heartbeat(2))
            #expect(fixture.engine.wait(for: .heartbeat(2)))
            #expect(fixture.engine.isRunning)
        }

        /// Grants registrations until a request comes that begins with a text.
        private func requestOtherThanRegister(_ fixture: CallFixture, _ start: String) -> String? {
            while let request = fixture.far.receive(where: { !$0.hasPrefix("SIP/2.0 ") }) {
                if request.hasPrefix(start) { return request }
                guard request.hasPrefix("REGISTER ") else { continue }
                let contact = ScriptedRegistrar.field("Contact", in: request)
                fixture.far.reply(to: request, "200 OK", "Contact: \(contact)\r\nExpires: 600\r\n")
            }
            return nil
        }

        private func bring(_ fixture: CallFixture, to state: State) throws -> SIPCallID {
            switch state {
            case .incoming, .unacknowledged:
                if state == .unacknowledged { return try fixture.call(acknowledges: false).id }
                let body = ScriptedRegistrar.session
                fixture.far.send(fixture.far.request("INVITE", callID: fixture.callID, body: body))
                return try #require(fixture.engine.waitForCall()).id
            case .dialled, .trying, .ringing, .earlyMedia, .cancelled:
                let invite = try fixture.dial()
                try progress(fixture, invite, to: state)
            case .answered, .holding, .held, .resuming, .ending:
                fixture.far.answer(try fixture.dial())
                #expect(fixture.engine.wait(for: .call(.dialled, .answered)))
                #expect(fixture.request("ACK") != nil)
                try change(fixture, to: state)
            }
            return .dialled
        }

        private func progress(_ fixture: CallFixture, _ invite: String, to state: State) throws {
            switch state {
            case .trying: fixture.far.reply(to: invite, "100 Trying")
            case .ringing:
                fixture.far.reply(to: invite, "180 Ringing")
                #expect(fixture.engine.wait(for: .call(.dialled, .ringing)))
            case .earlyMedia:
                fixture.far.reply(
                    to: invite, "183 Session Progress",
                    "Contact: <sip:far@127.0.0.1:\(fixture.far.port)>\r\nContent-Type: application/sdp\r\n",
                    body: ScriptedRegistrar.session)
                #expect(fixture.engine.wait(for: .call(.dialled, .earlyMedia)))
            case .cancelled:
                fixture.far.reply(to: invite, "180 Ringing")
                #expect(fixture.engine.wait(for: .call(.dialled, .ringing)))
                fixture.engine.send(.call(.dialled, .hangUp))
                #expect(fixture.request("CANCEL") != nil)
            default: break
            }
        }

        private func change(_ fixture: CallFixture, to state: State) throws {
            guard state != .answered else { return }
            guard state != .ending else {
                fixture.engine.send(.call(.dialled, .hangUp))
                #expect(fixture.request("BYE") != nil)
                return
            }
            fixture.engine.send(.call(.dialled, .hold))
            let hold = try #require(fixture.request("INVITE"))
            guard state != .holding else { return }
            fixture.far.answer(
                hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
            #expect(fixture.request("ACK") != nil)
            guard state == .resuming else { return }
            fixture.engine.send(.call(.dialled, .resume))
            #expect(fixture.request("INVITE") != nil)
        }

        /// Answers each request for a time, as a server does.
        private func answerAll(_ fixture: CallFixture, seconds: Double) throws {
            let end = Date(timeIntervalSinceNow: seconds)
            while let request = fixture.far.receive(
                seconds: end.timeIntervalSinceNow,
                where: { !$0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("ACK ") })
            {
                if request.hasPrefix("INVITE ") {
                    fixture.far.answer(request)
                } else {
                    let contact = ScriptedRegistrar.field("Contact", in: request)
                    fixture.far.reply(to: request, "200 OK", "Contact: \(contact)\r\nExpires: 600\r\n")
                }
            }
        }
    }
}
