// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of real-time text in calls (RFC 4103, ITU-T T.140).
    @Suite struct RealTimeText {
        private let fixture: CallFixture
        private let peer: TextPeer
        private var far: ScriptedRegistrar { fixture.far }
        private var engine: EngineProcess { fixture.engine }

        init() throws {
            fixture = try CallFixture()
            peer = try TextPeer()
        }

        private var session: String { ScriptedRegistrar.session + peer.medium }

        /// Returns a session with the number of its version (RFC 3264, section 8).
        private static func changed(_ session: String, _ version: Int) -> String {
            session.replacingOccurrences(of: "o=- 1 1 ", with: "o=- 1 \(version) ")
        }

        /// Calls the engine with text.
        private func callWithText() throws -> (id: SIPCallID, tag: String) {
            let (id, answer, tag) = try fixture.call(session)
            #expect(peer.meet(answer))
            #expect(engine.wait(for: .call(id, .textRuns(true))))
            return (id, tag)
        }

        /// Waits until the engine has reported a text, in any number of parts; returns what it has reported.
        private func received(_ text: String, in id: SIPCallID, by engine: EngineProcess? = nil) -> String {
            var result = ""
            let deadline = Date(timeIntervalSinceNow: 10)
            while result != text,
                let part = (engine ?? self.engine).wait(
                    seconds: deadline.timeIntervalSinceNow,
                    for: { if case .call(id, .text(let part)) = $0 { part } else { nil } })
            {
                result += part
            }
            return result
        }

        @Test func offerShowsBeforeItIsAnswered() throws {
            far.send(far.request("INVITE", callID: fixture.callID, body: session))
            let offered = engine.wait { event -> Bool? in
                if case .call(_, .incoming(_, _, let offersText, _)) = event { offersText } else { nil }
            }
            #expect(offered == true)
            far.send(far.request("INVITE", body: ScriptedRegistrar.session))
            let other = engine.wait { event -> Bool? in
                if case .call(_, .incoming(_, _, let offersText, _)) = event { offersText } else { nil }
            }
            #expect(other == false)
        }

        @Test func textGoesBothWaysWithErasure() throws {
            let (id, _) = try callWithText()
            peer.send("Helo")
            #expect(received("Helo", in: id) == "Helo")
            peer.send("\u{8}lo\u{2028}Grüße, 電話 👋")
            #expect(received("\u{8}lo\u{2028}Grüße, 電話 👋", in: id) == "\u{8}lo\u{2028}Grüße, 電話 👋")
            engine.send(.call(id, .sendText("Hi\u{8}ello\u{2028}ça va 👋")))
            #expect(peer.receive("Hi\u{8}ello\u{2028}ça va 👋") == "Hi\u{8}ello\u{2028}ça va 👋")
            fixture.hangUp(id)
        }

        /// Other controls, byte order marks and bytes that are no text do not reach the phone, and all ends of lines are one.
        @Test func onlyTextReachesThePhone() throws {
            let (id, _) = try callWithText()
            peer.send("\u{FEFF}a\u{0}\u{1B}\u{7}b\r\nc\nd\re\u{2029}f\u{9B}")
            let expected = "ab\u{2028}c\u{2028}d\u{2028}e\u{2028}f"
            #expect(received(expected, in: id) == expected)
            fixture.hangUp(id)
        }

        /// Two packets in a row may get lost, because the next one has their text; more are shown as a loss.
        @Test func lostPacketsAreRecovered() throws {
            let (id, _) = try callWithText()
            peer.send("one ")
            peer.send("two ", isLost: true)
            peer.send("three ", isLost: true)
            peer.send("four ")
            #expect(received("one two three four ", in: id) == "one two three four ")
            for text in ["5", "6", "7"] { peer.send(text, isLost: true) }
            peer.send("8")
            #expect(received("\u{FFFD}678", in: id) == "\u{FFFD}678")
            fixture.hangUp(id)
        }

        @Test func lossOfOwnPacketsIsRecoverable() throws {
            let (id, _) = try callWithText()
            var text = ""
            for word in ["every", "second", "packet", "gets", "lost"] {
                text += word + " "
                engine.send(.call(id, .sendText(word + " ")))
            }
            #expect(peer.receive(text, losing: 2) == text)
            fixture.hangUp(id)
        }

        /// The phone asks for text in a call that has none.
        @Test func phoneAddsText() throws {
            let (id, _, _) = try fixture.call()
            engine.send(.call(id, .startText))
            let invite = try #require(fixture.request("INVITE"))
            #expect(invite.contains(" t140/1000\r\n") && invite.contains(" red/1000\r\n"))
            #expect(peer.meet(invite))
            far.answer(invite, session: session, tag: "caller")
            #expect(engine.wait(for: .call(id, .textRuns(true))))
            peer.send("Hello")
            #expect(received("Hello", in: id) == "Hello")
            engine.send(.call(id, .sendText("Yes")))
            #expect(peer.receive("Yes") == "Yes")
            // It stays in its place.
            engine.send(.call(id, .hold))
            let hold = try #require(fixture.request("INVITE"))
            #expect(hold.components(separatedBy: "\r\n").filter { $0.hasPrefix("m=") }.count == 2)
            far.answer(hold, session: session.replacing("sendrecv", with: "recvonly"), tag: "caller")
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            fixture.hangUp(id)
        }

        /// The far end adds text, behind a medium that is refused.
        @Test func farEndAddsText() throws {
            let (id, _, tag) = try fixture.call()
            let answer = try fixture.exchange(
                "INVITE", sequence: 2,
                body: Self.changed(ScriptedRegistrar.session, 2) + "m=video 5004 RTP/AVP 96\r\n"
                    + peer.medium,
                tag: tag)
            let media = answer.components(separatedBy: "\r\n").filter { $0.hasPrefix("m=") }
            #expect(media.count == 3 && media[1] == "m=video 0 RTP/AVP 96")
            #expect(peer.meet(answer))
            #expect(engine.wait(for: .call(id, .textRuns(true))))
            peer.send("Hello")
            #expect(received("Hello", in: id) == "Hello")
            // It takes the text away again.
            let changed = try fixture.exchange(
                "INVITE", sequence: 3,
                body: Self.changed(ScriptedRegistrar.session, 3)
                    + "m=video 0 RTP/AVP 96\r\nm=text 0 RTP/AVP 98\r\n", tag: tag)
            #expect(changed.contains("m=text 0 "))
            #expect(engine.wait(for: .call(id, .textRuns(false))))
            fixture.hangUp(id)
        }

        @Test(arguments: [true, false])
        func farEndRefusesText(inAnswer: Bool) throws {
            let (id, _, tag) = try fixture.call()
            engine.send(.call(id, .startText))
            let invite = try #require(fixture.request("INVITE"))
            if inAnswer {
                far.answer(
                    invite, session: ScriptedRegistrar.session + "m=text 0 RTP/AVP 98\r\n", tag: "caller")
            } else {
                far.reply(to: invite, "488 Not Acceptable Here", tag: "caller")
            }
            #expect(engine.wait(for: .call(id, .textRefused)))
            // The call goes on.
            #expect(try fixture.exchange("OPTIONS", sequence: 2, tag: tag).hasPrefix("SIP/2.0 200 "))
            fixture.hangUp(id)
        }

        /// Text that is not protected as the sound is, or that the phone does not know, is refused, and the sound goes on.
        @Test(arguments: [
            "m=text 11000 RTP/SAVP 98\r\na=rtpmap:98 t140/1000\r\n"
                + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n",
            "m=text 11000 RTP/AVP 98\r\na=rtpmap:98 nonsense/1000\r\n", "m=text 0 RTP/AVP 98\r\n",
            "m=text 11000 RTP/AVP\r\n", "m=text 11000 RTP/AVP 98\r\n",
        ])
        func otherTextIsRefused(medium: String) throws {
            let (id, answer, _) = try fixture.call(ScriptedRegistrar.session + medium)
            #expect(answer.hasPrefix("SIP/2.0 200 ") && answer.contains("m=text 0 "))
            #expect(!answer.contains("m=audio 0 "))
            fixture.hangUp(id)
        }

        /// Without the user's wish, offered text is refused, in the first session and later, and the sound goes on.
        @Test func unwantedTextIsRefused() throws {
            engine.send(.setTakesText(false))
            far.send(far.request("INVITE", callID: fixture.callID, body: session))
            let offered = engine.wait { event -> Bool? in
                if case .call(_, .incoming(_, _, let offersText, _)) = event { offersText } else { nil }
            }
            #expect(offered == false)
            let id = SIPCallID(rawValue: 1)
            engine.send(.call(id, .answer))
            let answer = try fixture.response()
            #expect(answer.contains("m=text 0 ") && !answer.contains("m=audio 0 "))
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            fixture.acknowledge(tag: tag)
            #expect(engine.wait(for: .call(id, .answered)))
            let changed = try fixture.exchange(
                "INVITE", sequence: 2, body: Self.changed(session, 2), tag: tag)
            #expect(changed.contains("m=text 0 ") && !changed.contains("m=audio 0 "))
            engine.send(.call(id, .startText))
            #expect(engine.wait(for: .call(id, .textRefused)))
            // It is taken again.
            engine.send(.setTakesText(true))
            let third = try fixture.exchange("INVITE", sequence: 3, body: Self.changed(session, 3), tag: tag)
            #expect(peer.meet(third))
            #expect(engine.wait(for: .call(id, .textRuns(true))))
            fixture.hangUp(id)
        }

        /// Text that runs ends when the user wants none any more.
        @Test func unwantedTextEnds() throws {
            let (id, _) = try callWithText()
            engine.send(.setTakesText(false))
            let invite = try #require(fixture.request("INVITE"))
            #expect(invite.contains("m=text 0 ") && !invite.contains("m=audio 0 "))
            far.answer(
                invite, session: Self.changed(ScriptedRegistrar.session, 2) + "m=text 0 RTP/AVP 98\r\n",
                tag: "caller")
            #expect(engine.wait(for: .call(id, .textRuns(false))))
            fixture.hangUp(id)
        }

        /// Commands come in any order, as from a phone that does not know yet what has become of the call.
        @Test func commandsForTextMayComeAtAnyTime() throws {
            let invite = try fixture.dial()
            for command in [SIPCallCommand.answer, .startText, .sendText("a"), .hold, .startText, .answer] {
                engine.send(.call(.dialled, command))
            }
            far.reply(to: invite, "180 Ringing")
            #expect(engine.wait(for: .call(.dialled, .ringing)))
            fixture.hangUp(.dialled)
            engine.send(.call(.dialled, .startText))
            engine.send(.call(.dialled, .sendText("a")))
            #expect(far.isAnswered())
        }

        /// An answer has text for which nobody has asked.
        @Test func uninvitedTextInAnswerIsHarmless() throws {
            let invite = try fixture.dial()
            far.answer(invite, session: session)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            fixture.hangUp(.dialled)
        }

        /// Spoilt packets of every kind leave the call and the text as they are.
        @Test func spoiltPacketsAreHarmless() throws {
            let (id, _) = try callWithText()
            peer.send("a")
            #expect(received("a", in: id) == "a")
            let (plain, long) = (peer.plain, [UInt8](repeating: 0xff, count: 1_300))
            peer.sendRaw(long, type: plain)
            peer.sendRaw([plain] + long)
            peer.sendRaw([0x80 | plain])
            peer.sendRaw([0x80 | plain, 0, 3, 0xff, plain])
            peer.sendRaw([])
            peer.sendRaw(Array(repeating: [0x80 | plain, 0, 0, 0], count: 300).flatMap(\.self) + [plain])
            peer.sendRaw([0x80 | 7, 0, 0, 1, 7, 65])
            peer.sendRaw(long, type: 77)
            for cut in [[0xe2], [0xe2, 0x82], [0xf0, 0x9f, 0x92], [0xc0, 0x80], [0xed, 0xa0, 0x80]] {
                peer.sendRaw([plain] + cut.map { UInt8($0) })
            }
            peer.sendRaw([plain] + Array("end".utf8))
            let text = engine.wait { event -> String? in
                if case .call(id, .text(let part)) = event, part.hasSuffix("end") { part } else { nil }
            }
            #expect(text != nil)
            fixture.hangUp(id)
        }

        /// A flood of text is cut, and the engine goes on; what was lost is shown once.
        @Test func floodIsBounded() throws {
            let (id, _) = try callWithText()
            let block = Array(repeating: UInt8(ascii: "x"), count: 1_000)
            for _ in 0..<200 {
                peer.sendRaw([peer.plain] + block)
                // The rate is what the test is about: 1,000 packets in a second.
                usleep(1_000)
            }
            var count = 0
            while let part = engine.wait(
                seconds: 2, for: { if case .call(id, .text(let part)) = $0 { part } else { nil } })
            {
                count += part.unicodeScalars.count
            }
            #expect((1_000..<8_000).contains(count))
            fixture.hangUp(id)
        }

        /// The text of an encrypted call is encrypted with the keys of a handshake of its own (DTLS).
        @Test func textIsEncryptedAsTheSoundIs() throws {
            let server = try Peers.kamailio()
            let (alice, carol) = (try EngineProcess(), try EngineProcess())
            for (engine, user) in [(alice, "alice"), (carol, "carol")] {
                #expect(engine.register(.at(server, user: user, encryption: .required)) == .registered)
            }
            alice.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            let id = try #require(carol.waitForCall(seconds: 20)).id
            carol.send(.call(id, .answer))
            #expect(alice.wait(for: .call(.dialled, .answered)))
            #expect(alice.waitForEncryption(seconds: 10) == "DTLS-SRTP")
            alice.send(.call(.dialled, .startText))
            #expect(alice.wait(for: .call(.dialled, .textRuns(true))))
            #expect(carol.wait(for: .call(id, .textRuns(true))))
            alice.send(.call(.dialled, .sendText("secret")))
            #expect(received("secret", in: id, by: carol) == "secret")
            #expect(alice.waitForEncryption(seconds: 10) == "DTLS-SRTP")
            alice.send(.call(.dialled, .hangUp))
            #expect(carol.waitForEnd(of: id)?.side == .farEnd)
        }

        /// A far end that takes few characters in a second gets no more of them (RFC 4103, section 6), a fifth at once.
        @Test(arguments: [
            ("cps=5", 40, 5.0...9), ("x=1; cps=5", 40, 5.0...9), ("cps=1000", 40, 0...2),
            ("cps=0", 40, 0...2), ("cps=-5", 40, 0...2), ("", 40, 0...2),
        ])
        func farEndsRateIsKept(parameters: String, count: Int, seconds: ClosedRange<Double>) throws {
            peer.parameters = parameters
            let (id, _) = try callWithText()
            let text = String((0..<count).map { "abcdefghijklmnopqrstuvwxyz".map(\.self)[$0 % 26] })
            let begun = ContinuousClock.now
            engine.send(.call(id, .sendText(text)))
            #expect(peer.receive(text, seconds: 15) == text)
            let took = (ContinuousClock.now - begun) / .seconds(1)
            #expect(seconds.contains(took), "it took \(took) s")
            fixture.hangUp(id)
        }

        /// Registers two engines at the registrar, each with TLS if `isSecure`, and connects them; returns their calls.
        private func connect(
            isSecure: Bool, _ alice: EngineProcess, _ carol: EngineProcess
        ) throws -> (SIPCallID, SIPCallID) {
            let server = try Peers.kamailio()
            for (engine, user) in [(alice, "alice"), (carol, "carol")] {
                let port = server.tlsPorts["good"] ?? 0
                let account =
                    isSecure
                    ? SIPAccount(
                        id: user, address: "sip:\(user)@localhost", registrar: "sip:localhost:\(port)",
                        transport: .tls, encryption: .required)
                    : .at(server, user: user)
                #expect(engine.register(account) == .registered)
            }
            let address = isSecure ? "sip:carol@localhost" : server.address(of: "carol")
            alice.send(.call(.dialled, .dial(account: "alice", address: address)))
            let id = try #require(carol.waitForCall(seconds: 20)).id
            carol.send(.call(id, .answer))
            #expect(alice.wait(for: .call(.dialled, .answered)))
            #expect(carol.wait(for: .call(id, .answered)))
            return (.dialled, id)
        }

        /// One end asks, the other one, or both at once, whose requests cross (491).
        @Test(arguments: [(true, [0]), (true, [1]), (true, [0, 1]), (false, [0, 1])])
        func eitherEndAsks(isSecure: Bool, who: [Int]) throws {
            let engines = [try EngineProcess(), try EngineProcess()]
            let (first, second) = try connect(isSecure: isSecure, engines[0], engines[1])
            let calls = [first, second]
            for index in who { engines[index].send(.call(calls[index], .startText)) }
            for (engine, call) in zip(engines, calls) {
                #expect(engine.wait(for: .call(call, .textRuns(true)), seconds: 20))
            }
            for (index, text) in ["from alice", "from carol"].enumerated() {
                engines[index].send(.call(calls[index], .sendText(text)))
                #expect(received(text, in: calls[1 - index], by: engines[1 - index]) == text)
            }
            engines[0].send(.call(first, .hangUp))
            #expect(engines[1].waitForEnd(of: second)?.side == .farEnd)
        }

        /// Each of two joined calls keeps its own text, which no other party gets.
        @Test func joinedCallsHaveTheirOwnText() throws {
            let server = try Peers.kamailio()
            let (alice, phones) = (try EngineProcess(), [try EngineProcess(), try EngineProcess()])
            #expect(alice.register(.at(server)) == .registered)
            let own = [SIPCallID.dialled, .second]
            var ids: [SIPCallID] = []
            for (phone, (call, user)) in zip(phones, zip(own, ["carol", "dave"])) {
                #expect(phone.register(.at(server, user: user)) == .registered)
                alice.send(.call(call, .dial(account: "alice", address: server.address(of: user))))
                ids.append(try #require(phone.waitForCall()).id)
                phone.send(.call(ids[ids.count - 1], .answer))
                #expect(alice.wait(for: .call(call, .answered)))
                alice.send(.call(call, .startText))
                #expect(alice.wait(for: .call(call, .textRuns(true))))
                #expect(phone.wait(for: .call(ids[ids.count - 1], .textRuns(true))))
                if call == .dialled { alice.send(.call(call, .hold)) }
            }
            alice.send(.call(.dialled, .join(with: .second)))
            for (index, text) in ["to carol", "to dave"].enumerated() {
                phones[index].send(.call(ids[index], .sendText("from " + text)))
                #expect(received("from " + text, in: own[index], by: alice) == "from " + text)
                alice.send(.call(own[index], .sendText(text)))
                #expect(received(text, in: ids[index], by: phones[index]) == text)
            }
            for call in own { alice.send(.call(call, .hangUp)) }
            for (phone, id) in zip(phones, ids) { #expect(phone.waitForEnd(of: id)?.side == .farEnd) }
        }

        /// Text that is added to a call finds its way by ICE, with accounts that have a relay.
        @Test(.enabled(if: Coturn.host != "127.0.0.1", "ICE does not use the loopback interface"))
        func textTakesTheWayThatICEFinds() throws {
            let (server, relay) = (try Peers.kamailio(), try Coturn())
            defer { relay.end() }
            let engines = [try EngineProcess(), try EngineProcess()]
            for (engine, user) in zip(engines, ["alice", "carol"]) {
                let account = SIPAccount(
                    id: user, address: "sip:\(user)@\(Kamailio.domain)",
                    registrar: "sip:127.0.0.1:\(server.port)", transport: .udp, encryption: .required,
                    stunServer: relay.address, relayUser: "ada")
                engine.send(.setAccount(account, password: "pw-\(user)", relayPassword: "relayed"))
                #expect(engine.waitForRegistration() == .registered)
            }
            engines[0].send(.call(.dialled, .dial(account: "alice", address: server.address(of: "carol"))))
            let id = try #require(engines[1].waitForCall(seconds: 20)).id
            engines[1].send(.call(id, .answer))
            #expect(engines[0].wait(for: .call(.dialled, .answered)))
            #expect(engines[0].waitForEncryption(seconds: 10) == "DTLS-SRTP")
            engines[0].send(.call(.dialled, .startText))
            let calls = [SIPCallID.dialled, id]
            for (engine, call) in zip(engines, calls) {
                #expect(engine.wait(for: .call(call, .textRuns(true)), seconds: 20))
            }
            for (index, text) in ["from alice", "from carol"].enumerated() {
                engines[index].send(.call(calls[index], .sendText(text)))
                #expect(received(text, in: calls[1 - index], by: engines[1 - index]) == text)
            }
            engines[0].send(.call(.dialled, .hangUp))
            #expect(engines[1].waitForEnd(of: id)?.side == .farEnd)
        }

        /// Text arrives within 500 ms, in both directions (EN 301 549, clause 6.2.4).
        @Test func textArrivesWithinHalfASecond() throws {
            let (id, _) = try callWithText()
            var times: [Duration] = []
            for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
                let sent = ContinuousClock.now
                peer.send(letter)
                #expect(received(letter, in: id) == letter)
                times.append(ContinuousClock.now - sent)
            }
            var ownTimes: [Duration] = []
            for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
                let sent = ContinuousClock.now
                engine.send(.call(id, .sendText(letter)))
                #expect(peer.receive(letter) == letter)
                ownTimes.append(ContinuousClock.now - sent)
            }
            print("text: received in \(times.max() ?? .zero), sent in \(ownTimes.max() ?? .zero)")
            #expect((times + ownTimes).allSatisfy { $0 < .milliseconds(500) })
            fixture.hangUp(id)
        }
    }
}
