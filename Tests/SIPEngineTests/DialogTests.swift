// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of requests and responses that cross, come late, or come from several phones.
    @Suite struct Dialogs {
        private let fixture: CallFixture
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }
        private var callID: String { fixture.callID }

        init() throws { fixture = try CallFixture() }

        @Test func answerThatCrossesCancelIsHungUp() throws {
            let invite = try fixture.dial()
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            engine.send(.call(.dialled, .hangUp))
            let cancel = try #require(fixture.request("CANCEL"))
            far.answer(invite)
            far.reply(to: cancel, "200 OK")
            // The far end waits for the confirmation of its answer.
            let ack = try #require(far.receive { $0.hasPrefix("ACK ") || $0.hasPrefix("BYE ") })
            #expect(ack.hasPrefix("ACK "))
            #expect(
                ScriptedRegistrar.field("CSeq", in: ack).split(separator: " ").first
                    == ScriptedRegistrar.field("CSeq", in: invite).split(separator: " ").first)
            far.reply(to: try #require(fixture.request("BYE")), "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        @Test func cancelThatCrossesAnswerIsHarmless() throws {
            let branch = "z9hG4bK-crossed-\(callID)"
            let invite = far.request(
                "INVITE", callID: callID, branch: branch, body: ScriptedRegistrar.session)
            far.send(invite)
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .answer))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains(callID) })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            far.send(far.request("CANCEL", callID: callID, branch: branch))
            far.send(far.request("ACK", callID: callID, toTag: tag))
            #expect(far.isAnswered())
            far.send(far.request("BYE", callID: callID, sequence: 2, toTag: tag))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.farEnd))
        }

        @Test func onlyOneOfTwoPhonesThatAnswerIsKept() throws {
            let invite = try fixture.dial()
            far.reply(to: invite, "180 Ringing", tag: "first")
            far.reply(to: invite, "180 Ringing", tag: "second")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            far.answer(invite, tag: "second")
            #expect(fixture.request("ACK", tag: "second") != nil)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            far.answer(invite, tag: "first")
            #expect(fixture.request("ACK", tag: "first") != nil)
            far.reply(to: try #require(fixture.request("BYE", tag: "first")), "200 OK")
            engine.send(.call(.dialled, .hangUp))
            far.reply(to: try #require(fixture.request("BYE", tag: "second")), "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        @Test func partyThatTheServerConnectsIsReported() throws {
            let (id, _, tag) = try fixture.call()
            for (sequence, name) in [(2, "Jane"), (3, "Jane"), (4, "John")] {
                let answer = try fixture.exchange(
                    "INVITE", sequence: sequence,
                    fields: "P-Asserted-Identity: \"\(name)\" <sip:\(sequence / 2)@example.org>\r\n",
                    body: ScriptedRegistrar.session, tag: tag)
                #expect(answer.hasPrefix("SIP/2.0 200 "))
                guard sequence != 3 else { continue }
                let event = engine.wait { event -> SIPEvent? in event }
                #expect(
                    event
                        == .call(
                            id,
                            .farEndChanged(
                                SIPParty(address: "sip:\(sequence / 2)@example.org", displayName: name))))
            }
            // A refresh without a name says nothing of the far end.
            _ = try fixture.exchange("INVITE", sequence: 5, body: ScriptedRegistrar.session, tag: tag)
            engine.send(.call(id, .hangUp))
            let next = engine.wait { event -> SIPEvent? in event }
            #expect(next == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test func partyOfOwnCallIsThatOfTheServerFromItsSecondSession() throws {
            let invite = try fixture.dial()
            let named = "P-Asserted-Identity: <sip:jane@example.org>\r\n"
            far.reply(
                to: invite, "200 OK",
                "\(named)Contact: <sip:far@127.0.0.1:\(far.port)>\r\nContent-Type: application/sdp\r\n",
                body: ScriptedRegistrar.session)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.wait { event -> SIPEvent? in event } == .call(.dialled, .ended(SIPEnd(.phone))))
        }

        @Test func lateAcknowledgementIsAccepted() throws {
            let (id, _, tag) = try fixture.call(acknowledges: false)
            // The answer is repeated until then.
            #expect(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains(callID) } != nil)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            far.send(far.request("ACK", callID: callID, toTag: tag))
            far.send(far.request("BYE", callID: callID, sequence: 2, toTag: tag))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.farEnd))
        }

        @Test func holdIsRepeatedAfterGlare() throws {
            let (id, _, tag) = try fixture.call(acknowledges: false)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            engine.send(.call(id, .hold))
            let hold = try #require(fixture.request("INVITE"))
            #expect(hold.contains("a=sendonly"))
            far.send(
                far.request(
                    "INVITE", callID: callID, sequence: 2, body: ScriptedRegistrar.session, toTag: tag))
            #expect(far.receive { $0.hasPrefix("SIP/2.0 491") } != nil)
            far.send(far.request("ACK", callID: callID, sequence: 2, toTag: tag))
            far.reply(to: hold, "491 Request Pending")
            let again = try #require(
                far.receive {
                    $0.hasPrefix("INVITE ")
                        && ScriptedRegistrar.field("CSeq", in: $0)
                            != ScriptedRegistrar.field("CSeq", in: hold)
                })
            #expect(again.contains("a=sendonly"))
            far.answer(again, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
            #expect(fixture.request("ACK") != nil)
            engine.send(.call(id, .hangUp))
            // A refused hold would have been reported before.
            let next = engine.wait { event -> SIPEvent? in event }
            #expect(next == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test func transferIsTriedAgainAfterSilence() throws {
            let (id, _, tag) = try fixture.call(acknowledges: false)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            // Held, the call lives on without media.
            engine.send(.call(id, .hold))
            let hold = try #require(fixture.request("INVITE"))
            far.answer(hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
            for (sequence, target) in [(2, "sip:silent@127.0.0.1"), (4, "sip:other@127.0.0.1")] {
                engine.send(.call(id, .transferToAddress(target)))
                let refer = try #require(far.receive { $0.hasPrefix("REFER ") && $0.contains(target) })
                far.reply(to: refer, "202 Accepted")
                far.send(
                    far.report("SIP/2.0 100 Trying\r\n", callID: callID, sequence: sequence, toTag: tag))
                #expect(engine.wait(for: .call(id, .transferReported)))
            }
            far.send(far.report("SIP/2.0 200 OK\r\n", callID: callID, sequence: 5, toTag: tag))
            far.reply(to: try #require(fixture.request("BYE")), "200 OK")
            #expect(engine.waitForEnd(of: id)?.isTransferred == true)
        }

        @Test func reportThatOvertakesTheAnswerToReferIsAccepted() throws {
            let (id, _, tag) = try fixture.call(acknowledges: false)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            engine.send(.call(id, .transferToAddress("sip:other@127.0.0.1")))
            let refer = try #require(fixture.request("REFER"))
            // A proxy with several processes may exchange the two.
            for (sequence, status) in [(2, "100 Trying"), (3, "200 OK")] {
                let report = far.report(
                    "SIP/2.0 \(status)\r\n", callID: callID, sequence: sequence, toTag: tag)
                far.send(report)
                let response = try #require(
                    far.receive { $0.hasPrefix("SIP/2.0 ") && $0.contains("\(sequence) NOTIFY\r\n") })
                #expect(response.hasPrefix("SIP/2.0 200"))
                if sequence == 2 { far.reply(to: refer, "202 Accepted") }
            }
            #expect(engine.wait(for: .call(id, .transferReported)))
            far.reply(to: try #require(fixture.request("BYE")), "200 OK")
            #expect(engine.waitForEnd(of: id)?.isTransferred == true)
        }
    }

    /// Tests of calls to several phones of one user, through Kamailio.
    @Suite struct Forks {
        // Of their own: other tests kill phones that are registered.
        private let server: Kamailio

        init() throws { server = try Kamailio() }

        @Test func callAnsweredOnAnotherPhoneIsNotMissed() throws {
            let engine = try EngineProcess()
            let caller = try EngineProcess()
            let other = try Baresip(user: "alice", server: server.port)
            defer { other.end() }
            #expect(engine.register(.at(server)) == .registered)
            #expect(caller.register(.at(server, user: "carol")) == .registered)
            caller.send(.call(.dialled, .dial(account: "carol", address: server.address(of: "alice"))))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .ring))
            #expect(caller.wait(for: .call(.dialled, .answered)))
            #expect(engine.waitForEnd(of: call.id)?.isAnsweredElsewhere == true)
            caller.send(.call(.dialled, .hangUp))
            #expect(other.wait(for: "CALL_CLOSED") != nil)
        }

        @Test func secondPhoneStopsRingingAfterAnswer() throws {
            let engine = try EngineProcess()
            let ringing = try Baresip(user: "dave", server: server.port, answers: false)
            defer { ringing.end() }
            let answering = try Baresip(user: "dave", server: server.port, answers: false)
            defer { answering.end() }
            #expect(engine.register(.at(server)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "dave"))))
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            #expect(ringing.wait(for: "CALL_INCOMING") != nil)
            #expect(answering.wait(for: "CALL_INCOMING") != nil)
            answering.command("accept")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(ringing.wait(for: "CALL_CLOSED") != nil)
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(answering.wait(for: "CALL_CLOSED") != nil)
        }
    }
}
