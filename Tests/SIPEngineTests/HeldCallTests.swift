// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import Testing

extension SIPEngineTests {
    /// Tests of calls that the far end holds from their start (RFC 3264, sections 5.1 and 8.4).
    @Suite struct HeldCalls {
        private let fixture: CallFixture

        init() throws { fixture = try CallFixture() }

        /// Returns the next event.
        private func next() -> SIPEvent? { fixture.engine.wait { event -> SIPEvent? in event } }

        private static let held = [
            ScriptedRegistrar.session(port: 40_000, direction: "sendonly"),
            ScriptedRegistrar.session(port: 40_000, direction: "inactive"),
            // For all media.
            ScriptedRegistrar.session(port: 40_000).replacing("a=sendrecv\r\n", with: "")
                .replacing("t=0 0\r\n", with: "t=0 0\r\na=sendonly\r\n"),
            ScriptedRegistrar.session.replacing("c=IN IP4 127.0.0.1", with: "c=IN IP4 0.0.0.0"),
        ]

        @Test(arguments: held)
        func incomingCallIsHeldFromItsStart(session: String) throws {
            let (id, _, tag) = try fixture.call(session)
            #expect(fixture.engine.wait(for: .call(id, .heldByFarEnd(true))))
            let answer = try fixture.exchange(
                "INVITE", sequence: 2, body: ScriptedRegistrar.session, tag: tag)
            #expect(answer.hasPrefix("SIP/2.0 200 "))
            #expect(fixture.engine.wait(for: .call(id, .heldByFarEnd(false))), "\(answer)")
            fixture.hangUp(id)
        }

        @Test(arguments: held)
        func answerHoldsTheCall(session: String) throws {
            let invite = try fixture.dial()
            fixture.far.answer(invite, session: session, tag: "caller")
            #expect(fixture.engine.wait(for: .call(.dialled, .answered)))
            #expect(fixture.engine.wait(for: .call(.dialled, .heldByFarEnd(true))))
            #expect(fixture.request("ACK") != nil)
            let callID = ScriptedRegistrar.field("Call-ID", in: invite)
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "From", in: invite)
            fixture.far.send(
                fixture.far.request(
                    "INVITE", callID: callID, body: ScriptedRegistrar.session,
                    from: "<sip:far@127.0.0.1>", toTag: tag))
            #expect(fixture.engine.wait(for: .call(.dialled, .heldByFarEnd(false))))
            fixture.far.send(
                fixture.far.request("ACK", callID: callID, from: "<sip:far@127.0.0.1>", toTag: tag))
            fixture.hangUp(.dialled)
        }

        /// liblinphone 5.1 and 5.2 end when a call is resumed whose registrar had a strange address of the phone.
        @Test(arguments: [
            "pub-gruu=\"sip:alice@127.0.0.1;gr=<urn:uuid:46aaf277-32a0>\"", "pub-gruu=\"<>\"",
            "pub-gruu=x;gr", "pub-gruu", "PUB-GRUU=\"sip:a@@b\"", "temp-gruu=\"sip:;gr\"",
            "pub-gruu=\"sips:alice@[::1]:5061;gr=x\"",
            "pub-gruu=\"sip:alice@127.0.0.1;gr=urn:uuid:46aaf277-32a0\"",
        ])
        func callIsResumedAtStrangeRegistrar(parameter: String) throws {
            let (far, engine) = (fixture.far, fixture.engine)
            engine.send(.refresh)
            let register = try #require(fixture.request("REGISTER"))
            let contact = ScriptedRegistrar.field("Contact", in: register)
            far.reply(to: register, "200 OK", "Contact: \(contact);\(parameter);expires=600\r\n")
            #expect(far.isAnswered())
            let (id, _, _) = try fixture.call()
            for command in [SIPCallCommand.hold, .resume] {
                engine.send(.call(id, command))
                far.answer(try #require(fixture.request("INVITE")), tag: "caller")
                #expect(fixture.request("ACK") != nil)
            }
            fixture.hangUp(id)
            #expect(far.isAnswered())
        }

        @Test func farEndThatOnlyListensDoesNotHold() throws {
            let (id, _, _) = try fixture.call(ScriptedRegistrar.session(port: 40_000, direction: "recvonly"))
            fixture.engine.send(.call(id, .hangUp))
            #expect(next() == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test func callHeldFromItsStartStaysHeldWhileThePhoneHoldsIt() throws {
            let (id, _, _) = try fixture.call(Self.held[0])
            #expect(fixture.engine.wait(for: .call(id, .heldByFarEnd(true))))
            for (command, direction) in [
                (SIPCommand.call(id, .hold), "inactive"), (.call(id, .resume), "sendonly"),
            ] {
                fixture.engine.send(command)
                let invite = try #require(fixture.request("INVITE"))
                fixture.far.answer(
                    invite, session: ScriptedRegistrar.session(port: 40_000, direction: direction))
                #expect(fixture.request("ACK") != nil)
            }
            fixture.engine.send(.call(id, .hangUp))
            #expect(next() == .call(id, .ended(SIPEnd(.phone))))
        }
    }
}
