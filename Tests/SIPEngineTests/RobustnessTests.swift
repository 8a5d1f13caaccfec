// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct Robustness {
        private let registrar: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            registrar = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: registrar))
        }

        @Test func malformedMessagesOfTheRegistrarDoNoHarm() {
            let messages = MalformedMessages.all(from: registrar)
            #expect(messages.count >= 40)
            for message in messages {
                registrar.send(message.bytes)
                guard registrar.isAnswered() else {
                    Issue.record("the engine does not answer after: \(message.fault)")
                    return
                }
            }
            #expect(engine.isRunning)
            engine.send(.call(.dialled, .measure))
            engine.send(.refresh)
            #expect(registrar.acceptRegistration())
            #expect(engine.waitForRegistration() == .registered)
        }

        @Test func strangersAreNotHeard() throws {
            let calls = (0..<400).map { number in
                registrar.request("INVITE", callID: "stranger-\(number)", body: ScriptedRegistrar.session)
            }
            try registrar.sendAsStranger(calls, rate: 200)
            #expect(registrar.isAnswered())
            registrar.send(registrar.request("INVITE", callID: "expected", body: ScriptedRegistrar.session))
            // A call of a stranger would have a smaller number.
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }

        @Test func strangersMayCallIfTheUserAllowsIt() throws {
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess(acceptsDirectCalls: true)
            #expect(engine.register(at: registrar))
            let identity = "P-Asserted-Identity: \"Bank\" <sip:bank@example.org>\r\n"
            for fields in [identity, identity.lowercased()] {
                let call = registrar.request("INVITE", fields: fields, body: ScriptedRegistrar.session)
                try registrar.sendAsStranger([call], rate: 100)
                let found = try #require(engine.waitForCall())
                // Only the registrar may say who the caller is.
                #expect(found.caller.address.hasPrefix("sip:caller@127.0.0.1"))
                #expect(found.caller.displayName == "Caller")
                engine.send(.call(found.id, .hangUp))
            }
            registrar.send(registrar.request("INVITE", fields: identity, body: ScriptedRegistrar.session))
            #expect(engine.waitForCall()?.caller.displayName == "Bank")
        }

        @Test func floodThroughTheRegistrarDoesNotKeepThePhoneBusy() {
            let begin = ContinuousClock.now
            for number in 0..<200 {
                let (callID, branch) = ("flood-\(number)", "z9hG4bK-flood-\(number)")
                registrar.send(
                    registrar.request(
                        "INVITE", callID: callID, branch: branch, body: ScriptedRegistrar.session))
                registrar.send(registrar.request("CANCEL", callID: callID, branch: branch))
                // The receive buffers of both sides are small.
                if number.isMultiple(of: 10) { #expect(registrar.isAnswered()) }
            }
            #expect(registrar.isAnswered())
            engine.send(.call(.dialled, .dial(account: "nobody", address: "sip:x@example.org")))
            var count = 0
            _ = engine.wait { event -> Bool? in
                if case .call(.dialled, .ended) = event { return true }
                count += 1
                return nil
            }
            // At most 20 calls in 10 s, with a beginning and an end.
            let periods = 1 + Int((ContinuousClock.now - begin) / .seconds(10))
            #expect(count > 0 && count <= 40 * periods)
        }

        @Test func nonsenseFromThePhoneDoesNoHarm() throws {
            let lines = [
                "", "{}", "null", "[]", "command", "command\tcall\t2", "command\tcall\t2\tdial", "unknown",
                "command\tunknown",
                "command\tcall\t2\tunknown", "refresh", "\t",
                "command\tcall\t2\tdial\talice\tsip:x@127.0.0.1\t0",
                "\u{0}\u{1}", "{",
                String(repeating: "\t", count: 60_000), String(repeating: "\\", count: 60_001),
                String(repeating: "x", count: 300_000),
            ]
            for line in lines { engine.sendBytes(Array((line + "\n").utf8)) }
            engine.sendBytes([0xff, 0xfe, 0x0a])
            for id in [-1, 0, 1, 2, 3, Int.max].map(SIPCallID.init) {
                for command in [
                    SIPCommand.call(id, .ring), .call(id, .answer), .call(id, .hangUp),
                    .call(id, .declineAsBusy), .call(id, .hold), .call(id, .resume),
                    .call(id, .join(with: id)), .call(id, .transfer(to: id)),
                    .call(id, .transferToAddress("x")),
                    .call(id, .setMuted(true)), .call(id, .sendKey("1")), .call(id, .pressKey("x")),
                    .call(id, .releaseKey), .call(id, .measure),
                ] {
                    engine.send(command)
                }
            }
            engine.send(.removeAccount(id: "nobody"))
            engine.send(.start(version: SIPHelper.version, SIPConfiguration(userAgent: "again")))
            #expect(registrar.isAnswered())
            engine.send(.call(.dialled, .dial(account: "nobody", address: "sip:x@example.org")))
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(engine.end() == 0)
        }

        @Test func otherVersionOfTheMessagesEndsTheProcess() throws {
            let other = try EngineProcess(version: 99)
            #expect(other.end() == 0)
        }

        /// A phone of an earlier version, which still runs after an update, has to know why the engine does not serve it.
        @Test func earlierVersionOfTheMessagesIsToldSo() throws {
            let other = try EngineProcess(starts: false)
            other.sendBytes(Array("{\"start\":{\"_0\":{\"version\":8,\"userAgent\":\"x\"}}}\n".utf8))
            #expect(other.end() == 0)
            #expect(other.receivedText() == "{\"ready\":{\"version\":\(SIPHelper.version)}}\n")
        }

        @Test func silentRegistrarDoesNotDelayTheEnd() throws {
            let start = ContinuousClock.now
            #expect(engine.end() == 0)
            #expect(ContinuousClock.now - start < .seconds(4))
        }

        @Test func closedConnectionUnregisters() throws {
            engine.close()
            func receiveEnd(_ isAuthorized: Bool) -> String? {
                registrar.receive {
                    $0.hasPrefix("REGISTER ") && ScriptedRegistrar.field("Expires", in: $0) == "0"
                        && $0.contains("\r\nAuthorization:") == isAuthorized
                }
            }
            // Many registrars give a new nonce to each request.
            registrar.reply(
                to: try #require(receiveEnd(false)), "401 Unauthorized",
                "WWW-Authenticate: Digest realm=\"home\", nonce=\"n\", algorithm=MD5\r\n")
            registrar.reply(to: try #require(receiveEnd(true)), "200 OK")
            #expect(engine.end() == 0)
        }
    }
}
