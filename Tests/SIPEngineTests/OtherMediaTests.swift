// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of offers with other media than sound, which are refused one by one (RFC 3264, section 6).
    @Suite struct OtherMedia {
        private let fixture: CallFixture
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }
        private var callID: String { fixture.callID }

        init() throws { fixture = try CallFixture() }

        private static let start = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
        private static let sound = "m=audio 40000 RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\n"

        /// A session with the media in front of the sound, or behind it.
        private static func session(before: [String] = [], after: [String] = []) -> String {
            start + before.map { $0 + "\r\n" }.joined() + sound + after.map { $0 + "\r\n" }.joined()
        }

        /// Returns the lines of the media in a message.
        private static func media(in message: String) -> [String] {
            message.components(separatedBy: "\r\n").filter { $0.hasPrefix("m=") }
        }

        private static let others: [(offered: String, refused: String)] = [
            ("m=video 5004 RTP/AVP 96\r\na=rtpmap:96 UNKNOWN/90000", "m=video 0 RTP/AVP 96"),
            ("m=video 0 RTP/AVP 31", "m=video 0 RTP/AVP 31"),
            ("m=application 5006 UDP/BFCP *", "m=application 0 UDP/BFCP *"),
            (
                "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=sctp-port:5000",
                "m=application 0 UDP/DTLS/SCTP webrtc-datachannel"
            ),
            ("m=image 4000 udptl t38\r\na=T38FaxVersion:0", "m=image 0 udptl t38"),
            ("m=message 7000 TCP/MSRP *\r\na=accept-types:text/plain", "m=message 0 TCP/MSRP *"),
            ("m=text 11000 TCP/T140 98\r\na=rtpmap:98 t140/1000", "m=text 0 TCP/T140 98"),
            ("m=nonsense 1 X 1", "m=nonsense 0 X 1"), ("m=video", "m=video"),
        ]

        @Test(arguments: others.indices)
        func otherMediumIsRefusedAndSoundGoesOn(index: Int) throws {
            let (offered, refused) = Self.others[index]
            let (id, answer, tag) = try fixture.call(Self.session(before: [offered], after: [offered]))
            #expect(answer.hasPrefix("SIP/2.0 200 "))
            let media = Self.media(in: answer)
            #expect(media.count == 3 && media.first == refused && media.last == refused)
            #expect(media[1].hasPrefix("m=audio ") && !media[1].hasPrefix("m=audio 0 "))
            // The phone's own offers keep the places (section 8).
            engine.send(.call(id, .hold))
            let hold = try #require(far.receive { $0.hasPrefix("INVITE ") && $0.contains(callID) })
            #expect(Self.media(in: hold).first == refused && Self.media(in: hold).count == 3)
            far.answer(
                hold, session: Self.session(before: [refused], after: [refused, "a=recvonly"]), tag: "caller")
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            // The far end changes the session, too.
            far.send(
                far.request(
                    "INVITE", callID: callID, sequence: 2, body: Self.session(before: [offered]), toTag: tag))
            let changed = try fixture.response(sequence: 2)
            #expect(changed.hasPrefix("SIP/2.0 200 ") && Self.media(in: changed).first == refused)
            far.send(far.request("ACK", callID: callID, sequence: 2, toTag: tag))
            fixture.hangUp(id)
        }

        @Test(arguments: [
            start + "m=video 5004 RTP/AVP 96\r\n", start + "m=image 4000 udptl t38\r\n",
            start + "m=audio 0 RTP/AVP 8\r\n", start + "m=audio 9 TCP/MSRP *\r\n", start,
            session(before: Array(repeating: "m=video 5004 RTP/AVP 96", count: 64)),
        ])
        func offerWithoutSoundIsRefusedBeforeItRings(session: String) throws {
            far.send(far.request("INVITE", callID: callID, body: session))
            #expect(try fixture.response().hasPrefix("SIP/2.0 488 "))
            // Nothing was reported before this call, which has the first number.
            far.send(far.request("INVITE", body: ScriptedRegistrar.session))
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }

        @Test(arguments: ["Content-Encoding: deflate", "e: deflate", "Content-Encoding: gzip, deflate"])
        func compressedOfferIsRefused(field: String) throws {
            far.send(
                far.request(
                    "INVITE", callID: callID, fields: "\(field)\r\n", body: ScriptedRegistrar.session))
            let answer = try fixture.response()
            #expect(answer.hasPrefix("SIP/2.0 415 "))
            #expect(ScriptedRegistrar.field("Accept-Encoding", in: answer) == "identity")
        }

        @Test func changeToFaxIsRefusedAndSoundGoesOn() throws {
            let (id, _, tag) = try fixture.call(Self.session())
            far.send(
                far.request(
                    "INVITE", callID: callID, sequence: 2, body: Self.start + "m=image 4000 udptl t38\r\n",
                    toTag: tag))
            #expect(try fixture.response(sequence: 2).hasPrefix("SIP/2.0 488 "))
            far.send(far.request("ACK", callID: callID, sequence: 2, toTag: tag))
            far.send(far.request("OPTIONS", callID: callID, sequence: 3, toTag: tag))
            #expect(try fixture.response(sequence: 3, "OPTIONS").hasPrefix("SIP/2.0 200 "))
            fixture.hangUp(id)
        }

        @Test func soundWithoutReadableKeysIsTakenOfTwo() throws {
            let encrypted =
                "m=audio 40002 RTP/SAVP 8\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:"
                + "WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz"
            let (id, answer, _) = try fixture.call(Self.session(before: [encrypted]))
            let media = Self.media(in: answer)
            #expect(media.first == "m=audio 0 RTP/SAVP 8" && media.last?.contains(" RTP/AVP ") == true)
            #expect(!answer.contains("a=crypto"))
            fixture.hangUp(id)
        }

        @Test func answerWithOtherMediaIsUsed() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.answer(invite, session: Self.session(before: ["m=video 5004 RTP/AVP 96"]))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            fixture.hangUp(.dialled)
        }

        @Test(arguments: ["inactive", "sendonly"])
        func callMayBeHeldFromItsStart(direction: String) throws {
            let (id, answer, tag) = try fixture.call(
                ScriptedRegistrar.session(port: 40_000, direction: direction))
            #expect(answer.contains(direction == "inactive" ? "a=inactive" : "a=recvonly"))
            let resumed = try fixture.exchange(
                "INVITE", sequence: 2, body: ScriptedRegistrar.session, tag: tag)
            #expect(resumed.hasPrefix("SIP/2.0 200 ") && !resumed.contains("a=inactive"))
            fixture.hangUp(id)
        }

        @Test(arguments: ["sendrecv", "sendonly", "inactive", "recvonly"])
        func addressOfZerosHoldsCall(direction: String) throws {
            let (id, _, tag) = try fixture.call(Self.session())
            let held = ScriptedRegistrar.session(port: 40_000, direction: direction)
                .replacingOccurrences(of: "c=IN IP4 127.0.0.1", with: "c=IN IP4 0.0.0.0")
            far.send(far.request("INVITE", callID: callID, sequence: 2, body: held, toTag: tag))
            #expect(engine.wait(for: .call(id, .heldByFarEnd(true))))
            let sends = direction == "sendrecv" || direction == "sendonly"
            #expect(try fixture.response(sequence: 2).contains(sends ? "a=recvonly" : "a=inactive"))
            far.send(far.request("ACK", callID: callID, sequence: 2, toTag: tag))
            far.send(
                far.request("INVITE", callID: callID, sequence: 3, body: Self.session(), toTag: tag))
            #expect(engine.wait(for: .call(id, .heldByFarEnd(false))))
            fixture.hangUp(id)
        }
    }
}
