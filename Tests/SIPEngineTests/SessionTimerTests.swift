// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the refreshes that keep a call alive at its proxies (RFC 4028).
    @Suite struct SessionTimers {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        private func dial() throws -> String {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            return try #require(far.receive { $0.hasPrefix("INVITE ") })
        }

        @Test func callOffersRefreshes() throws {
            let invite = try dial()
            #expect(ScriptedRegistrar.field("Supported", in: invite).contains("timer"))
            #expect(ScriptedRegistrar.field("Session-Expires", in: invite).hasPrefix("1800"))
        }

        @Test(arguments: ["Session-Expires: 0;refresher=uac", "Session-Expires: -5", "Session-Expires: 1"])
        func farEndCannotMakeThePhoneSendRefreshesAllTheTime(field: String) throws {
            let invite = try dial()
            far.accept(invite, field)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(far.receive(seconds: 1) { !$0.hasPrefix("ACK ") && !$0.hasPrefix("SUBSCRIBE ") } == nil)
        }

        @Test(arguments: ["Session-Expires: 0", "Session-Expires: 30", "Min-SE: 0"])
        func callerCannotAskForRefreshesAllTheTime(field: String) throws {
            far.send(
                far.request(
                    "INVITE", callID: "short", fields: "Supported: timer\r\n\(field)\r\n",
                    body: ScriptedRegistrar.session))
            if field.hasPrefix("Min-SE") {
                engine.send(.call(try #require(engine.waitForCall()).id, .answer))
                let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") })
                let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
                far.send(far.request("ACK", callID: "short", toTag: tag))
                #expect(far.receive(seconds: 1) { $0.hasPrefix("UPDATE ") || $0.hasPrefix("INVITE ") } == nil)
            } else {
                let answer = far.receive { $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 100") }
                #expect(answer?.hasPrefix("SIP/2.0 422") == true)
                #expect(ScriptedRegistrar.field("Min-SE", in: answer ?? "") == "90")
            }
        }

        @Test func longerTimeIsUsedIfTheServerRequiresIt() throws {
            let invite = try dial()
            far.reply(to: invite, "422 Session Interval Too Small", "Min-SE: 3600\r\n")
            let again = try #require(
                far.receive {
                    $0.hasPrefix("INVITE ")
                        && ScriptedRegistrar.field("Session-Expires", in: $0).hasPrefix("3600")
                })
            #expect(ScriptedRegistrar.field("Min-SE", in: again) == "3600")
            far.answer(again)
            #expect(engine.wait(for: .call(.dialled, .answered)))
        }

        @Test(arguments: ["", "Min-SE: x\r\n", "Min-SE: -5\r\n", "Min-SE: 99999999999999999999\r\n"])
        func senselessTimeEndsTheCall(field: String) throws {
            var invite = try dial()
            for _ in 0..<3 {
                far.reply(to: invite, "422 Session Interval Too Small", field)
                let cseq = ScriptedRegistrar.field("CSeq", in: invite)
                guard
                    let next = far.receive(
                        seconds: 1,
                        where: {
                            $0.hasPrefix("INVITE ") && ScriptedRegistrar.field("CSeq", in: $0) != cseq
                        })
                else { break }
                invite = next
            }
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(engine.isRunning)
            #expect(far.isAnswered())
        }
    }
}

extension ScriptedRegistrar {
    /// Accepts an INVITE or an UPDATE with a session timer.
    func accept(_ request: String, _ field: String) {
        let offers = request.contains("m=audio")
        let direction = request.contains("a=sendonly") ? "recvonly" : "sendrecv"
        reply(
            to: request, "200 OK",
            "Contact: <sip:far@\(host):\(port)>\r\nRequire: timer\r\n\(field)\r\n"
                + (offers ? "Content-Type: application/sdp\r\n" : ""),
            body: offers ? Self.session(port: 40_000, direction: direction) : "")
    }
}

extension SIPTimeoutTests {
    @Test func callIsRefreshedAtHalfItsTime() throws {
        let far = try ScriptedRegistrar()
        let engine = try EngineProcess()
        #expect(engine.register(at: far, encryption: .off))
        engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
        let field = "Session-Expires: 90;refresher=uac\r\nAllow: INVITE, ACK, BYE, CANCEL"
        let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
        far.accept(invite, field)
        #expect(engine.wait(for: .call(.dialled, .answered)))
        // Held, the call lives on without media.
        engine.send(.call(.dialled, .hold))
        let hold = try #require(far.receive { $0.hasPrefix("INVITE ") && $0.contains("a=sendonly") })
        far.accept(hold, field)
        let sequences = [invite, hold].map { ScriptedRegistrar.field("CSeq", in: $0) }
        // Not UPDATE, which the far end does not allow.
        let refresh = far.receive(seconds: 60) {
            ($0.hasPrefix("UPDATE ") || $0.hasPrefix("INVITE "))
                && !sequences.contains(ScriptedRegistrar.field("CSeq", in: $0))
        }
        try #require(refresh?.hasPrefix("INVITE ") == true)
        far.accept(refresh ?? "", field)
        #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
        engine.send(.call(.dialled, .hangUp))
        #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
    }
}
