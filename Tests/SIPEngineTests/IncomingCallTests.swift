// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct IncomingCalls {
        private let registrar: ScriptedRegistrar
        private let engine: EngineProcess
        private let callID = UUID().uuidString

        init() throws {
            registrar = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: registrar))
        }

        /// Sends an INVITE, and waits for the incoming call.
        private func invite(
            fields: String = "", branch: String? = nil, from: String = "\"Caller\" <sip:caller@127.0.0.1>"
        ) -> (id: SIPCallID, caller: SIPParty)? {
            registrar.send(
                registrar.request(
                    "INVITE", callID: callID, branch: branch, fields: fields, body: ScriptedRegistrar.session,
                    from: from))
            return engine.waitForCall()
        }

        /// Waits for a response to the INVITE other than 100.
        private func response() -> String? {
            registrar.receive {
                $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 100") && $0.contains(callID)
            }
        }

        @Test func callRingsOnlyOnCommand() throws {
            let call = try #require(invite())
            #expect(call.id.rawValue == 1)
            #expect(call.caller == SIPParty(address: "sip:caller@127.0.0.1", displayName: "Caller"))
            // Another request is answered first if the engine does not ring by itself.
            registrar.send(registrar.request("OPTIONS", callID: "options-\(callID)"))
            #expect(response()?.contains("OPTIONS") == true)
            engine.send(.call(call.id, .ring))
            #expect(response()?.hasPrefix("SIP/2.0 180") == true)
            engine.send(.call(call.id, .answer))
            #expect(response()?.hasPrefix("SIP/2.0 200") == true)
            #expect(engine.wait(for: .call(call.id, .answered)))
        }

        @Test func unwantedCallerIsDeclinedAsBusyAtOnce() throws {
            let call = try #require(invite())
            engine.send(.call(call.id, .declineAsBusy))
            #expect(response()?.hasPrefix("SIP/2.0 486") == true)
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
        }

        @Test func callIsForTheAccountOfItsUser() throws {
            let servers = [try ScriptedRegistrar(), try ScriptedRegistrar()]
            let engine = try EngineProcess()
            for (user, server) in zip(["bob", "alice"], servers) {
                let account = SIPAccount(
                    id: user, address: "sip:\(user)@127.0.0.1:\(server.port)",
                    registrar: "sip:127.0.0.1:\(server.port)", transport: .udp, encryption: .off)
                engine.send(.setAccount(account, password: "x"))
                #expect(server.acceptRegistration() && engine.waitForRegistration() == .registered)
            }
            // The call is to `alice@127.0.0.1`, without a port, whichever server passes it on.
            for server in servers {
                server.send(server.request("INVITE", body: ScriptedRegistrar.session))
                let account = engine.wait {
                    if case .call(_, .incoming(let account, _, _, _)) = $0 { account } else { nil }
                }
                #expect(account == "alice")
            }
        }

        @Test func declinedCallEnds() throws {
            let call = try #require(invite())
            engine.send(.call(call.id, .hangUp))
            #expect(response()?.hasPrefix("SIP/2.0 603") == true)
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
        }

        @Test(arguments: [
            ("", false), ("Reason: SIP;cause=200;text=\"Call completed elsewhere\"\r\n", true),
            ("Reason: SIP;cause=200\r\n", true), ("Reason: Q.850;cause=26\r\n", true),
            ("Reason: Q.850;cause=16\r\n", false),
        ])
        func cancelledCallEnds(reason: String, isAnsweredElsewhere: Bool) throws {
            let branch = "z9hG4bK-cancelled-\(callID)"
            let call = try #require(invite(branch: branch))
            registrar.send(registrar.request("CANCEL", callID: callID, branch: branch, fields: reason))
            let end = try #require(engine.waitForEnd(of: call.id))
            #expect(end.side == .farEnd)
            #expect(end.isAnsweredElsewhere == isAnsweredElsewhere)
            #expect(end.status == 0)
        }

        @Test func registrarAssertsIdentity() throws {
            let call = invite(
                fields: "P-Asserted-Identity: \"Real Name\" <sip:+4930123@example.org;user=phone>\r\n")
            #expect(call?.caller == SIPParty(address: "sip:+4930123@example.org", displayName: "Real Name"))
        }

        @Test func callersTextsAreBoundedAndPlain() throws {
            let name = "Red\u{202E}txt" + String(repeating: "a", count: 600)
            let call = try #require(invite(from: "\"\(name)\" <sip:caller@127.0.0.1>"))
            #expect(call.caller.displayName == "Redtxt" + String(repeating: "a", count: 600))
        }

        @Test func callerWithAnEndlessNameIsIgnored() throws {
            let endless = String(repeating: "a", count: 3_000)
            registrar.send(
                registrar.request(
                    "INVITE", body: ScriptedRegistrar.session, from: "\"\(endless)\" <sip:caller@127.0.0.1>"))
            #expect(registrar.isAnswered())
            #expect(invite()?.id.rawValue == 1)
        }

        @Test func sameCallerMayCallTwiceButNotManyTimes() throws {
            for number in 0..<6 {
                registrar.send(
                    registrar.request(
                        "INVITE", callID: "\(callID)-\(number)", body: ScriptedRegistrar.session))
                #expect(engine.waitForCall() != nil)
            }
            registrar.send(registrar.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            #expect(response()?.hasPrefix("SIP/2.0 486") == true)
        }

        @Test func refreshRenewsTheRegistrationAndTheCall() throws {
            let call = try #require(invite())
            engine.send(.call(call.id, .answer))
            let answer = try #require(response())
            let tag = ScriptedRegistrar.field("To", in: answer).components(separatedBy: ";tag=").last ?? ""
            registrar.send(registrar.request("ACK", callID: callID, toTag: ";tag=\(tag)"))
            engine.send(.refresh)
            #expect(registrar.acceptRegistration())
            let renewal = try #require(registrar.receive { $0.hasPrefix("INVITE ") && $0.contains(callID) })
            registrar.reply(
                to: renewal, "200 OK",
                "Contact: <sip:caller@127.0.0.1:\(registrar.port)>\r\nContent-Type: application/sdp\r\n",
                body: ScriptedRegistrar.session)
            #expect(registrar.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(engine.wait(for: .registration(account: "alice", .registered)))
            engine.send(.call(call.id, .hangUp))
            #expect(engine.waitForEnd(of: call.id) == SIPEnd(.phone))
        }

        @Test func inviteIsReportedAtOnce() throws {
            // The fastest of several, because other processes compete for the processor.
            var fastest = Duration.seconds(10)
            for number in 0..<8 where fastest > .milliseconds(30) {
                let start = ContinuousClock.now
                let id = "\(callID)-\(number)"
                registrar.send(registrar.request("INVITE", callID: id, body: ScriptedRegistrar.session))
                let call = try #require(engine.waitForCall())
                fastest = min(fastest, ContinuousClock.now - start)
                engine.send(.call(call.id, .declineAsBusy))
                #expect(engine.waitForEnd(of: call.id) != nil)
            }
            #expect(fastest <= .milliseconds(30))
        }
    }
}
