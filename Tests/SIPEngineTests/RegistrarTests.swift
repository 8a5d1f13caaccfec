// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests with servers as they are reported to behave; Kamailio is a real one.
    @Suite struct Registrars {
        private let registrar: ScriptedRegistrar
        private let engine: EngineProcess
        private let callID = UUID().uuidString

        init() throws {
            registrar = try ScriptedRegistrar()
            engine = try EngineProcess()
        }

        /// Challenges the next request of a method.
        ///
        /// Returns the one that follows with the response.
        private func challenge(
            _ method: String, _ manners: RegistrarManners, nonce: String, stale: Bool = false
        ) throws -> String {
            let request = try #require(registrar.receive { $0.hasPrefix("\(method) ") })
            registrar.reply(
                to: request, manners.status, manners.challenge(nonce: nonce, stale: stale))
            return try #require(registrar.receive { $0.hasPrefix("\(method) ") && $0.contains(nonce) })
        }

        private func accept(_ request: String) {
            registrar.reply(
                to: request, "200 OK",
                "Contact: \(ScriptedRegistrar.field("Contact", in: request));expires=600\r\n")
        }

        private func register(_ manners: RegistrarManners) throws {
            engine.send(.setAccount(manners.account(at: registrar), password: "secret"))
            let request = try challenge("REGISTER", manners, nonce: "first")
            #expect(manners.accepts(request, nonce: "first"))
            accept(request)
            #expect(engine.waitForRegistration() == .registered)
        }

        @Test(arguments: RegistrarManners.all)
        func registrationIsRenewedWithANewNonce(manners: RegistrarManners) throws {
            try register(manners)
            engine.send(.refresh)
            let request = try challenge("REGISTER", manners, nonce: "second", stale: true)
            #expect(manners.accepts(request, nonce: "second"))
            accept(request)
            #expect(engine.waitForRegistration() == .registered)
        }

        @Test(arguments: RegistrarManners.all)
        func wrongPasswordIsSaidAfterOneAttempt(manners: RegistrarManners) throws {
            engine.send(.setAccount(manners.account(at: registrar), password: "wrong"))
            let request = try challenge("REGISTER", manners, nonce: "first")
            #expect(manners.accepts(request, nonce: "first", password: "wrong"))
            registrar.reply(to: request, manners.status, manners.challenge(nonce: "second"))
            #expect(engine.waitForRegistration() == .failed(.wrongPassword))
            #expect(registrar.receive(seconds: 0.3, where: ScriptedRegistrar.isAttempt) == nil)
        }

        @Test(arguments: RegistrarManners.all)
        func callIsMadeAndHungUp(manners: RegistrarManners) throws {
            try register(manners)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:5551234@\(manners.domain)")))
            let invite = try challenge("INVITE", manners, nonce: "call")
            #expect(manners.accepts(invite, nonce: "call"))
            registrar.reply(to: invite, "100 Trying")
            let session =
                "Contact: <sip:far@127.0.0.1:\(registrar.port)>\r\nContent-Type: application/sdp\r\n"
            for (status, hasSession) in manners.progress {
                registrar.reply(
                    to: invite, status, hasSession ? session : "",
                    body: hasSession ? ScriptedRegistrar.session : "")
                #expect(
                    engine.wait(for: hasSession ? .call(.dialled, .earlyMedia) : .call(.dialled, .ringing)))
            }
            registrar.answer(invite)
            #expect(registrar.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            let bye = try #require(registrar.receive { $0.hasPrefix("BYE ") })
            // Some challenge each request.
            registrar.reply(to: bye, manners.status, manners.challenge(nonce: "end"))
            let second = try #require(registrar.receive { $0.hasPrefix("BYE ") && $0.contains("end") })
            #expect(manners.accepts(second, nonce: "end"))
            registrar.reply(to: second, "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
        }

        @Test(arguments: RegistrarManners.all)
        func callersAreNamed(manners: RegistrarManners) throws {
            try register(manners)
            for (from, fields, party) in manners.callers {
                registrar.send(
                    registrar.request(
                        "INVITE", fields: fields, body: ScriptedRegistrar.session, from: from))
                let call = try #require(engine.waitForCall())
                #expect(call.caller == party)
                engine.send(.call(call.id, .hangUp))
                #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
            }
        }

        @Test(arguments: RegistrarManners.all)
        func callIsChanged(manners: RegistrarManners) throws {
            try register(manners)
            registrar.send(registrar.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            func answer(_ sequence: Int) throws -> String {
                try #require(
                    registrar.receive {
                        $0.hasPrefix("SIP/2.0 200 ") && $0.contains(callID)
                            && $0.contains("CSeq: \(sequence) INVITE\r\n")
                    })
            }
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: try answer(1))
            registrar.send(registrar.request("ACK", callID: callID, toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            for (index, session) in manners.changes.enumerated() {
                registrar.send(
                    registrar.request(
                        "INVITE", callID: callID, sequence: index + 2, body: session ?? "", toTag: tag))
                #expect(try answer(index + 2).contains("m=audio "))
                registrar.send(
                    registrar.request(
                        "ACK", callID: callID, sequence: index + 2,
                        body: session == nil ? ScriptedRegistrar.session : "", toTag: tag))
                if session?.contains("sendonly") == true {
                    #expect(engine.wait(for: .call(call.id, .heldByFarEnd(true))))
                }
            }
            engine.send(.call(call.id, .hangUp))
            registrar.reply(
                to: try #require(registrar.receive { $0.hasPrefix("BYE ") }), "200 OK")
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
        }
    }
}
