// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of requests that the phone does not take, and of addresses that require encryption.
    @Suite struct OtherRequests {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        /// Sends a request, and returns the answer.
        private func answer(
            _ method: String, fields: String = "", body: String = "", callID: String = UUID().uuidString,
            toTag: String = ""
        ) throws -> String {
            far.send(
                far.request(
                    method, callID: callID, sequence: 2, fields: fields, body: body, toTag: toTag))
            return try #require(
                far.receive {
                    $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) && $0.contains("CSeq: 2 \(method)\r\n")
                })
        }

        /// Calls the engine, which answers.
        ///
        /// Returns the call, its Call-ID, and the engine's tag.
        private func call() throws -> (id: SIPCallID, callID: String, tag: String) {
            let callID = UUID().uuidString
            far.send(far.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .answer))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains(callID) })
            #expect(ScriptedRegistrar.field("Allow", in: answer) == Self.allowed)
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            far.send(far.request("ACK", callID: callID, toTag: tag))
            #expect(engine.wait(for: .call(id, .answered)))
            return (id, callID, tag)
        }

        private static let allowed = "INVITE, ACK, CANCEL, OPTIONS, BYE, REFER, NOTIFY, INFO"

        @Test(arguments: [
            ("MESSAGE", 405), ("SUBSCRIBE", 405), ("PUBLISH", 405), ("REGISTER", 405), ("UNKNOWN", 501),
            ("REFER", 603), ("NOTIFY", 489), ("INFO", 481), ("UPDATE", 481), ("PRACK", 481), ("BYE", 481),
        ])
        func requestOutsideOfCallIsRefused(method: String, status: Int) throws {
            let answer = try answer(
                method, fields: "Event: presence\r\nRefer-To: <sip:x@127.0.0.1>\r\n", body: "hello")
            #expect(answer.hasPrefix("SIP/2.0 \(status) "))
            let hasAllow = [405, 501].contains(status)
            #expect(ScriptedRegistrar.field("Allow", in: answer) == (hasAllow ? Self.allowed : ""))
            #expect(
                ScriptedRegistrar.field("Allow-Events", in: answer)
                    == (status == 489 ? "refer, message-summary, dialog" : ""))
            // Nothing was reported before this call.
            far.send(far.request("INVITE", body: ScriptedRegistrar.session))
            let next = engine.wait { event -> SIPEvent? in event }
            guard case .call(_, .incoming) = next else {
                Issue.record("\(String(describing: next)) was reported")
                return
            }
        }

        @Test func requestsInCallAreAnsweredAndCallGoesOn() throws {
            let (id, callID, tag) = try call()
            for (method, status) in [
                ("SUBSCRIBE", 405), ("MESSAGE", 405), ("UNKNOWN", 501), ("PRACK", 481), ("NOTIFY", 489),
                ("INFO", 415),
                ("OPTIONS", 200),
            ] {
                let answer = try answer(
                    method, fields: "Event: presence\r\n", body: method == "INFO" ? "{}" : "", callID: callID,
                    toTag: tag)
                #expect(answer.hasPrefix("SIP/2.0 \(status) "), "\(method)")
            }
            engine.send(.call(id, .hangUp))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
        }

        @Test func optionsTellWhatThePhoneTakes() throws {
            let answer = try answer("OPTIONS")
            #expect(answer.hasPrefix("SIP/2.0 200 "))
            #expect(ScriptedRegistrar.field("Allow", in: answer) == Self.allowed)
            #expect(ScriptedRegistrar.field("Accept", in: answer) == "application/sdp")
        }

        @Test func requiredExtensionIsRefusedIfItIsUnknown() throws {
            let answer = try answer(
                "INVITE", fields: "Require: timer, precondition\r\n", body: ScriptedRegistrar.session)
            #expect(answer.hasPrefix("SIP/2.0 420 "))
            #expect(ScriptedRegistrar.field("Unsupported", in: answer).contains("precondition"))
            far.send(
                far.request("INVITE", fields: "Require: timer\r\n", body: ScriptedRegistrar.session))
            // A call that was refused would have a smaller number.
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }

        @Test func ringingIsConfirmedIfTheCallerRequiresIt() throws {
            let callID = UUID().uuidString
            func response(_ method: String, _ sequence: Int) throws -> String {
                try #require(
                    far.receive {
                        $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 100") && $0.contains(callID)
                            && $0.contains("CSeq: \(sequence) \(method)\r\n")
                    })
            }
            far.send(
                far.request(
                    "INVITE", callID: callID, fields: "Require: 100rel\r\n", body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            engine.send(.call(id, .ring))
            let ringing = try response("INVITE", 1)
            #expect(ringing.hasPrefix("SIP/2.0 180 "))
            #expect(ScriptedRegistrar.field("Require", in: ringing) == "100rel")
            let number = ScriptedRegistrar.field("RSeq", in: ringing)
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: ringing)
            for (sequence, confirmed) in [(2, "9 1 INVITE"), (3, "x"), (4, "\(number) 1 INVITE")] {
                far.send(
                    far.request(
                        "PRACK", callID: callID, sequence: sequence, fields: "RAck: \(confirmed)\r\n",
                        toTag: tag))
                let status = sequence == 4 ? 200 : 481
                #expect(try response("PRACK", sequence).hasPrefix("SIP/2.0 \(status) "))
            }
            engine.send(.call(id, .answer))
            #expect(try response("INVITE", 1).hasPrefix("SIP/2.0 200 "))
            far.send(far.request("ACK", callID: callID, toTag: tag))
            #expect(engine.wait(for: .call(id, .answered)))
            engine.send(.call(id, .hangUp))
            #expect(engine.waitForEnd(of: id) == SIPEnd(.phone))
        }

        @Test(arguments: [("nothing@x;to-tag=a;from-tag=b", 481), ("nothing@x", 400)])
        func callThatReplacesNothingDoesNotRing(replaced: String, status: Int) throws {
            let answer = try answer(
                "INVITE", fields: "Replaces: \(replaced)\r\n", body: ScriptedRegistrar.session)
            #expect(answer.hasPrefix("SIP/2.0 \(status) "))
            far.send(far.request("INVITE", body: ScriptedRegistrar.session))
            // A call that was refused would have a smaller number.
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }

        @Test func callMayReplaceOneThatExists() throws {
            let (_, callID, tag) = try call()
            let replaced = "\(callID);to-tag=\(tag.dropFirst(";tag=".count));from-tag=caller"
            let answer = try answer(
                "INVITE", fields: "Replaces: \(replaced)\r\n", body: ScriptedRegistrar.session)
            #expect(answer.hasPrefix("SIP/2.0 100 "))
            #expect(far.receive { $0.hasPrefix("BYE ") && $0.contains(callID) } != nil)
        }

        /// A caller could otherwise answer their own call, and hear the room (RFC 3891, section 3).
        @Test(arguments: ["", ";early-only"], [true, false])
        func ringingCallIsNotReplaced(parameter: String, isRinging: Bool) throws {
            let callID = UUID().uuidString
            far.send(far.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            let id = try #require(engine.waitForCall()).id
            if isRinging { engine.send(.call(id, .ring)) }
            // The engine has sent 180 or 183, whose tag the caller knows, or the caller guesses.
            let ringing = far.receive(seconds: isRinging ? 10 : 0.5) {
                $0.hasPrefix("SIP/2.0 18") && $0.contains(callID)
            }
            let tag = ringing.map { ScriptedRegistrar.tag(of: "To", in: $0) } ?? "tag"
            let answer = try answer(
                "INVITE", fields: "Replaces: \(callID);to-tag=\(tag);from-tag=caller\(parameter)\r\n",
                body: ScriptedRegistrar.session)
            #expect(answer.hasPrefix("SIP/2.0 481 "), "\(answer)")
            let next = engine.wait(seconds: 0.5) { event -> SIPEvent? in event }
            #expect(next == nil)
            // It rings on.
            engine.send(.call(id, .answer))
            #expect(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains(callID) } != nil)
        }

        @Test(arguments: [
            ("sips:x@127.0.0.1", 416), ("sip:x@127.0.0.1;method=MESSAGE", 603), ("mailto:x@127.0.0.1", 400),
        ])
        func callIsNotTransferredToOtherThanACall(target: String, status: Int) throws {
            let (id, callID, tag) = try call()
            let answer = try answer("REFER", fields: "Refer-To: <\(target)>\r\n", callID: callID, toTag: tag)
            #expect(answer.hasPrefix("SIP/2.0 \(status) "))
            #expect(answer.contains("SIPS Not Allowed") == (status == 416))
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INVITE ") } == nil)
            engine.send(.call(id, .hangUp))
            let next = engine.wait { event -> SIPEvent? in event }
            #expect(next == .call(id, .ended(SIPEnd(.phone))))
        }

        @Test func callIsNotRedirectedToSecureAddressInTheClear() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.reply(to: invite, "302 Moved Temporarily", "Contact: <sips:other@127.0.0.1>\r\n")
            let end = engine.waitForEnd(of: .dialled)
            #expect(end?.side == .phone && end?.status == 416)
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INVITE ") } == nil)
            engine.send(.call(.second, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let second = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.reply(to: second, "302 Moved Temporarily", "Contact: <sip:other@127.0.0.1>\r\n")
            #expect(far.receive { $0.hasPrefix("INVITE sip:other@") } != nil)
        }

        @Test func secureAddressIsNotCalledInTheClear() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sips:far@127.0.0.1")))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 416))
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INVITE ") } == nil)
        }
    }
}
