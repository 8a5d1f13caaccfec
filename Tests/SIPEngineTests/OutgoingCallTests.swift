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
            engine.send(.dial(.dialled, account: "alice", address: server.address(of: "bob")))
            #expect(engine.wait(for: .answered(.dialled)))
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            for key in "12#*9".map(String.init) {
                engine.send(.sendKey(.dialled, key))
                #expect(bob.wait(for: "CALL_DTMF_START") == key)
            }
            engine.send(.measure(.dialled))
            let quality = engine.wait {
                if case .quality(.dialled, let quality) = $0 { quality } else { nil }
            }
            #expect(quality?.codec == "opus")
            #expect(quality?.encryption == "")
            engine.send(.hangUp(.dialled))
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        @Test(arguments: [
            ("486 Busy Here", 17), ("404 Not Found", 1), ("603 Decline", 21), ("480 Not Here", 18),
        ])
        func refusedCallHasStatusAndCause(_ final: String, _ cause: Int) throws {
            let far = try SIPp("refusing-uas", values: ["FINAL": final, "CAUSE": "\(cause)"])
            defer { far.end() }
            engine.send(.dial(.dialled, account: "alice", address: "sip:far@127.0.0.1:\(far.port)"))
            #expect(engine.wait(for: .ringing(.dialled)))
            let end = try #require(engine.waitForEnd(of: .dialled))
            #expect(end.side == .farEnd)
            #expect(end.status == Int(final.prefix(3)))
            #expect(end.cause == cause)
            #expect(end.text == String(final.dropFirst(4)))
        }

        @Test func earlyMediaIsReported() throws {
            let far = try SIPp("early-uas")
            defer { far.end() }
            engine.send(.dial(.dialled, account: "alice", address: "sip:far@127.0.0.1:\(far.port)"))
            #expect(engine.wait(for: .earlyMedia(.dialled)))
            #expect(engine.waitForEnd(of: .dialled)?.status == 404)
        }

        @Test func callIsHeldAndResumed() throws {
            let bob = try Peers.bob()
            engine.send(.dial(.dialled, account: "alice", address: server.address(of: "bob")))
            #expect(engine.wait(for: .answered(.dialled)))
            #expect(bob.wait(for: "CALL_ESTABLISHED") != nil)
            engine.send(.hold(.dialled))
            // At once, before the far end has agreed to the hold.
            engine.send(.resume(.dialled))
            #expect(bob.wait(for: "CALL_REMOTE_SDP") != nil)
            #expect(bob.wait(for: "CALL_REMOTE_SDP") != nil)
            bob.command("hold")
            #expect(engine.wait(for: .heldByFarEnd(.dialled, true)))
            bob.command("resume")
            #expect(engine.wait(for: .heldByFarEnd(.dialled, false)))
            bob.command("hangup")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.farEnd))
        }

        @Test func farEndWithoutTelephoneEventsGetsInfo() throws {
            let far = try ScriptedRegistrar()
            #expect(engine.register(as: "far", at: far, encryption: .off))
            engine.send(.dial(.dialled, account: "far", address: "sip:far@127.0.0.1"))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            let session = ScriptedRegistrar.session.split(separator: "\r\n").filter {
                !$0.contains("telephone-event")
            }
            far.reply(
                to: invite, "200 OK",
                "Contact: <sip:far@127.0.0.1:\(far.port)>\r\nContent-Type: application/sdp\r\n",
                body: session.joined(separator: "\r\n").replacingOccurrences(of: "8 101", with: "8") + "\r\n")
            #expect(engine.wait(for: .answered(.dialled)))
            engine.send(.sendKey(.dialled, "5"))
            #expect(far.receive { $0.hasPrefix("INFO ") }?.contains("Signal=5") == true)
        }

        @Test func mutingIsHarmlessIfThePhonesHaveNoFormatInCommon() throws {
            let far = try ScriptedRegistrar()
            #expect(engine.register(as: "far", at: far, encryption: .off))
            engine.send(.dial(.dialled, account: "far", address: "sip:far@127.0.0.1"))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            engine.send(.setMuted(.dialled, true))
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .ringing(.dialled)))
            far.answer(
                invite,
                session: ScriptedRegistrar.session.replacingOccurrences(of: "audio 40000", with: "audio 0"))
            engine.send(.setMuted(.dialled, false))
            engine.send(.setMuted(.dialled, true))
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
            engine.send(.dial(.dialled, account: "far", address: "sip:far@127.0.0.1"))
            let start = try #require(ScriptedRegistrar.session.range(of: "m=audio")).lowerBound
            far.answer(
                try #require(far.receive { $0.hasPrefix("INVITE ") }),
                session: ScriptedRegistrar.session[..<start] + media)
            far.reply(to: try #require(far.receive { $0.hasPrefix("BYE ") }), "200 OK")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, status: 488))
        }

        @Test func callFromUnknownAccountOrToNonsenseEnds() {
            engine.send(.dial(.dialled, account: "nobody", address: server.address(of: "bob")))
            #expect(engine.waitForEnd(of: .dialled)?.status == 484)
            engine.send(.dial(.second, account: "alice", address: "no address <>"))
            #expect(engine.waitForEnd(of: .second)?.status == 484)
        }
    }
}
