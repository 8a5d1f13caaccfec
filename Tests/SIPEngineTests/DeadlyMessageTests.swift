// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Messages of which liblinphone or belle-sip crashed, most of them found by `make fuzz-calls`.
    @Suite struct DeadlyMessages {
        private let registrar: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            registrar = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: registrar, encryption: .off))
        }

        /// Returns the status of the final response to a request.
        private func status(_ callID: String, _ sequence: String = "1 INVITE") -> String? {
            let response = registrar.receive {
                $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 1")
                    && $0.contains("Call-ID: \(callID)\r\n")
                    && $0.contains("CSeq: \(sequence)\r\n")
            }
            return response.map { String($0.dropFirst("SIP/2.0 ".count).prefix(3)) }
        }

        @Test func callWithTheCallIDOfAnotherIsRefused() throws {
            registrar.send(
                registrar.request(
                    "INVITE", callID: "one", branch: "z9hG4bK-1", body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .ring))
            #expect(registrar.receive { $0.hasPrefix("SIP/2.0 180") } != nil)
            let merged = registrar.request(
                "INVITE", callID: "one", sequence: 2, branch: "z9hG4bK-2", body: ScriptedRegistrar.session
            ).replacingOccurrences(of: ";tag=caller", with: ";tag=other")
            registrar.send(merged)
            #expect(status("one", "2 INVITE") == "482")
            registrar.send(merged.replacingOccurrences(of: "INVITE", with: "ACK"))
            registrar.send(registrar.request("CANCEL", callID: "one", branch: "z9hG4bK-1"))
            #expect(engine.waitForEnd(of: call.id) != nil)
            #expect(registrar.isAnswered())
            // The same request, as it comes again where the response was lost, is no other one.
            let again = registrar.request(
                "INVITE", callID: "two", branch: "z9hG4bK-3", body: ScriptedRegistrar.session)
            registrar.send(again)
            let second = try #require(engine.waitForCall())
            registrar.send(again)
            engine.send(.call(second.id, .answer))
            #expect(status("two") == "200")
        }

        @Test func callToOneselfIsBusy() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
            let callID = ScriptedRegistrar.field("Call-ID", in: invite)
            registrar.send(registrar.request("INVITE", callID: callID, body: ScriptedRegistrar.session))
            #expect(status(callID) == "486")
            registrar.reply(to: invite, "486 Busy Here")
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(registrar.isAnswered())
        }

        /// The user hangs up before the first answer, which the engine waits for, because only then it can cancel the call.
        @Test(arguments: ["NOTIFY", "INFO", "UPDATE", "BYE", "INVITE", "REFER", "OPTIONS", "PRACK"])
        func requestInACallThatIsOverIsRefused(method: String) throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) != nil)
            registrar.reply(
                to: invite, "183 Progress",
                "Contact: <sip:far@127.0.0.1:\(registrar.port)>\r\nContent-Type: application/sdp\r\n",
                body: ScriptedRegistrar.session)
            #expect(registrar.receive { $0.hasPrefix("CANCEL ") } != nil)
            let callID = ScriptedRegistrar.field("Call-ID", in: invite)
            let request = registrar.request(
                method, callID: callID, sequence: 5,
                fields: "Event: refer\r\nSubscription-State: active\r\nRefer-To: <sip:x@127.0.0.1>\r\n",
                body: ["INVITE", "UPDATE"].contains(method) ? ScriptedRegistrar.session : "",
                toTag: ";tag=\(ScriptedRegistrar.tag(of: "From", in: invite))")
            registrar.send(request.replacingOccurrences(of: ";tag=caller", with: ";tag=registrar"))
            #expect(status(callID, "5 \(method)") == "481")
            registrar.reply(to: invite, "487 Request Terminated")
            #expect(registrar.isAnswered())
        }

        /// The far end does not respond to BYE, or has not seen it.
        @Test(arguments: ["INVITE", "UPDATE", "INFO", "REFER"], [ScriptedRegistrar.session, ""])
        func requestThatCrossesByeIsRefused(method: String, body: String) throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
            registrar.answer(invite, tag: "caller")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            #expect(registrar.receive { $0.hasPrefix("BYE ") } != nil)
            let callID = ScriptedRegistrar.field("Call-ID", in: invite)
            registrar.send(
                registrar.request(
                    method, callID: callID, sequence: 5, fields: "Refer-To: <sip:x@127.0.0.1>\r\n",
                    body: body,
                    toTag: ";tag=\(ScriptedRegistrar.tag(of: "From", in: invite))"))
            #expect(status(callID, "5 \(method)") == "481")
            #expect(registrar.isAnswered())
        }

        @Test(arguments: ["<sip:d@e>", "<sip:e>", "\"A name\" <sip:d@8:5060;x=y>;reason=busy"])
        func addresseesOfOneCharacterAreRefused(_ to: String) {
            let request = registrar.request("INVITE", callID: "short", body: ScriptedRegistrar.session)
            registrar.send(
                request.replacingOccurrences(of: "To: <sip:alice@127.0.0.1>", with: "To: \(to)"))
            #expect(status("short") == "400")
            #expect(registrar.isAnswered())
        }

        /// belle-sip would read it for a minute.
        @Test(arguments: ["Via", "v"]) func longWayDoesNotStopTheEngine(field: String) {
            let request = registrar.request("OPTIONS", callID: "long")
            let way = "\(field):SIP/2.0 403 No" + String(repeating: "a", count: 6_000)
            registrar.send(
                request.replacingOccurrences(of: "Via: SIP/2.0/UDP", with: way + "\r\nVia: SIP/2.0/UDP"))
            #expect(registrar.isAnswered())
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1), seconds: 5))
        }

        @Test(arguments: ["x", "x;to-tag=a", "x;from-tag=b"])
        func incompleteReplacesIsRefused(value: String) {
            registrar.send(
                registrar.request(
                    "INVITE", callID: "replaces", fields: "Replaces: \(value)\r\n",
                    body: ScriptedRegistrar.session))
            #expect(status("replaces") == "400")
            #expect(registrar.isAnswered())
        }

        private static let origin = "o=- 1 1 IN IP4 127.0.0.1\r\n"

        /// Sessions whose origin is missing, stands elsewhere or is none.
        private static let withoutOrigin =
            [
                "", "a=x\r\n" + origin, "o=\r\n", "o=- 1 1 IN IP4\r\n", "o=- a b IN IP4 127.0.0.1\r\n",
                "o=x\r\n" + origin,
            ].map {
                ScriptedRegistrar.session.replacingOccurrences(of: origin, with: $0)
            } + ["\(origin)" + ScriptedRegistrar.session.replacingOccurrences(of: origin, with: "")]

        @Test func sessionsWithoutOriginAreRefused() throws {
            for (index, session) in Self.withoutOrigin.enumerated() {
                registrar.send(registrar.request("INVITE", callID: "offer-\(index)", body: session))
                #expect(status("offer-\(index)") == "488", "\(session)")
            }
            for (index, response) in ["183 Progress", "200 OK"].enumerated() {
                let id = SIPCallID(rawValue: 2 + 2 * index)
                engine.send(.call(id, .dial(account: "alice", address: "sip:far@127.0.0.1")))
                let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
                registrar.reply(
                    to: invite, response,
                    "Contact: <sip:far@127.0.0.1:\(registrar.port)>\r\nContent-Type: application/sdp\r\n",
                    body: Self.withoutOrigin[0])
                #expect(registrar.isAnswered())
                engine.send(.call(id, .hangUp))
                #expect(engine.waitForEnd(of: id) != nil)
                // The engine cancels the call or ends it.
                registrar.reply(to: invite, "487 Request Terminated")
            }
            #expect(registrar.isAnswered())
        }

        /// A far end that calls itself a chat room or a conference is a far end like any other.
        @Test(arguments: ["text", "isfocus", "text;isfocus"])
        func chatRoomIsAnOrdinaryFarEnd(parameters: String) throws {
            let invite = registrar.request(
                "INVITE", callID: "room",
                fields: "Ephemerable: true\r\nEphemeral-Life-Time: x\r\nOne-To-One-Chat-Room: true\r\n",
                body: ScriptedRegistrar.session
            ).replacingOccurrences(of: ">\r\nMax-Forwards", with: ">;\(parameters)\r\nMax-Forwards")
            registrar.send(invite)
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            #expect(status("room") == "200")
            #expect(registrar.isAnswered())
        }
    }
}
