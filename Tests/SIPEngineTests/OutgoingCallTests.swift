// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct OutgoingCalls {
        private let server: Kamailio
        private let engine: EngineProcess

        init() throws {
            server = try Peers.kamailio()
            engine = try EngineProcess()
            #expect(engine.register(.at(server)) == .registered)
        }

        @Test func answeredCallSendsKeysAndIsHungUp() throws {
            let bob = try Peers.bob()
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            for key in "12#*9".map(String.init) {
                engine.send(.call(.dialled, .sendKey(key)))
                #expect(bob.wait(for: "CALL_DTMF_START") == key)
            }
            engine.send(.call(.dialled, .measure))
            let quality = engine.wait {
                if case .call(.dialled, .quality(let quality)) = $0 { quality } else { nil }
            }
            #expect(quality?.codec == "opus")
            #expect(quality?.encryption == "")
            engine.send(.call(.dialled, .hangUp))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        @Test(arguments: [
            ("486 Busy Here", 17), ("404 Not Found", 1), ("603 Decline", 21), ("480 Not Here", 18),
        ])
        func refusedCallHasStatusAndCause(_ final: String, _ cause: Int) throws {
            let far = try SIPp("refusing-uas", values: ["FINAL": final, "CAUSE": "\(cause)"])
            defer { far.end() }
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1:\(far.port)")))
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            let end = try #require(engine.waitForEnd(of: .dialled))
            #expect(end.side == .farEnd)
            #expect(end.status == Int(final.prefix(3)))
            #expect(end.cause == cause)
            #expect(end.text == String(final.dropFirst(4)))
        }

        @Test func earlyMediaIsReported() throws {
            let far = try SIPp("early-uas")
            defer { far.end() }
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1:\(far.port)")))
            #expect(engine.wait(for: .call(.dialled, .earlyMedia)))
            #expect(engine.waitForEnd(of: .dialled)?.status == 404)
        }

        @Test func callIsHeldAndResumed() throws {
            let bob = try Peers.bob()
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            engine.send(.call(.dialled, .hold))
            // At once, before the far end has agreed to the hold.
            engine.send(.call(.dialled, .resume))
            #expect(bob.wait(for: "CALL_REMOTE_SDP") != nil)
            #expect(bob.wait(for: "CALL_REMOTE_SDP") != nil)
            bob.command("hold")
            #expect(engine.wait(for: .call(.dialled, .heldByFarEnd(true))))
            bob.command("resume")
            #expect(engine.wait(for: .call(.dialled, .heldByFarEnd(false))))
            bob.command("hangup")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.farEnd))
        }

        @Test func farEndWithoutTelephoneEventsGetsInfo() throws {
            let far = try ScriptedRegistrar()
            #expect(engine.register(as: "far", at: far, encryption: .off))
            engine.send(.call(.dialled, .dial(account: "far", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            let session = ScriptedRegistrar.session.split(separator: "\r\n").filter {
                !$0.contains("telephone-event")
            }
            far.reply(
                to: invite, "200 OK",
                "Contact: <sip:far@127.0.0.1:\(far.port)>\r\nContent-Type: application/sdp\r\n",
                body: session.joined(separator: "\r\n").replacingOccurrences(of: "8 101", with: "8") + "\r\n")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(far.receive { $0.hasPrefix("INFO ") }?.contains("Signal=5") == true)
        }

        @Test func mutingIsHarmlessIfThePhonesHaveNoFormatInCommon() throws {
            let far = try ScriptedRegistrar()
            #expect(engine.register(as: "far", at: far, encryption: .off))
            engine.send(.call(.dialled, .dial(account: "far", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            engine.send(.call(.dialled, .setMuted(true)))
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            far.answer(
                invite,
                session: ScriptedRegistrar.session.replacingOccurrences(of: "audio 40000", with: "audio 0"))
            engine.send(.call(.dialled, .setMuted(false)))
            engine.send(.call(.dialled, .setMuted(true)))
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(far.isAnswered())
        }

        @Test(arguments: [
            "m=audio 40000 RTP/AVP 18\r\na=rtpmap:18 G729/8000\r\n",
            // The number is one of the phone's, with another meaning.
            "m=audio 40000 RTP/AVP 96 101\r\na=rtpmap:96 AMR/8000\r\na=rtpmap:101 telephone-event/8000\r\n",
        ])
        func answerWithFormatThatWasNotOfferedEndsTheCall(media: String) throws {
            let far = try ScriptedRegistrar()
            #expect(engine.register(as: "far", at: far, encryption: .off))
            engine.send(.call(.dialled, .dial(account: "far", address: "sip:far@127.0.0.1")))
            let start = try #require(ScriptedRegistrar.session.range(of: "m=audio")).lowerBound
            far.answer(
                try #require(far.receive { $0.hasPrefix("INVITE ") }),
                session: ScriptedRegistrar.session[..<start] + media)
            far.reply(to: try #require(far.receive { $0.hasPrefix("BYE ") }), "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 488))
        }

        @Test func callFromUnknownAccountOrToNonsenseEnds() {
            engine.send(.call(.dialled, .dial(account: "nobody", address: server.address(of: "bob"))))
            #expect(engine.waitForEnd(of: .dialled)?.status == 484)
            engine.send(.call(.second, .dial(account: "alice", address: "no address <>")))
            #expect(engine.waitForEnd(of: .second)?.status == 484)
        }
    }
}
