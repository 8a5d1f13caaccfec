// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of keys in a call.
    @Suite struct Keys {
        private let far: ScriptedRegistrar
        private let media: TelephoneEvents
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            media = try TelephoneEvents()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        private func dial() throws -> String {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            return try #require(far.receive { $0.hasPrefix("INVITE ") })
        }

        /// Calls the far end, which answers.
        ///
        /// Returns the call's identifier and the tag of the engine's end.
        @discardableResult private func connect() throws -> (callID: String, tag: String) {
            let invite = try dial()
            far.answer(invite, session: ScriptedRegistrar.session(port: media.port), tag: "caller")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            return (
                ScriptedRegistrar.field("Call-ID", in: invite),
                ";tag=" + ScriptedRegistrar.tag(of: "From", in: invite)
            )
        }

        /// Returns the payload type of a codec in an offer.
        private func payloadType(_ codec: String, in offer: String) throws -> String {
            let line = offer.components(separatedBy: "\r\n").first { $0.hasSuffix(" \(codec)") }
            return try #require(
                line?.dropFirst("a=rtpmap:".count).split(separator: " ").first.map(String.init))
        }

        @Test func keyLastsAsLongAsItIsHeld() throws {
            try connect()
            engine.send(.call(.dialled, .pressKey("5")))
            // 400 ms at 8,000 Hz.
            #expect(media.wait { $0.duration >= 3_200 }?.isEnd == false)
            engine.send(.call(.dialled, .releaseKey))
            let event = try #require(media.waitForEnds(1).first)
            #expect(event.event == 5 && event.segments == 1 && event.marks == 1 && event.ends == 3)
            #expect((3_200..<4_800).contains(event.duration))
        }

        @Test func shortKeyLastsEightyMilliseconds() throws {
            try connect()
            engine.send(.call(.dialled, .pressKey("#")))
            engine.send(.call(.dialled, .releaseKey))
            let events = media.waitForEnds(1)
            #expect(
                events == [TelephoneEvents.Event(event: 11, duration: 640, segments: 1, ends: 3, marks: 1)])
        }

        @Test func fastKeysArriveInOrder() throws {
            try connect()
            let keys = "1234567890"
            for key in keys.map(String.init) {
                engine.send(.call(.dialled, .pressKey(key)))
                engine.send(.call(.dialled, .releaseKey))
            }
            // Not held: 100 ms.
            engine.send(.call(.dialled, .sendKey("*")))
            let events = media.waitForEnds(11)
            #expect(events.map(\.event) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 10])
            #expect(events.map(\.duration) == Array(repeating: 640, count: 10) + [800])
            // 65 ms.
            #expect(media.pauses.allSatisfy { $0 >= 520 }, "\(media.pauses)")
        }

        @Test func nextKeyAndHoldEndTheHeldKey() throws {
            try connect()
            engine.send(.call(.dialled, .pressKey("1")))
            #expect(media.wait { $0.duration >= 800 } != nil)
            engine.send(.call(.dialled, .pressKey("2")))
            #expect(media.wait { $0.event == 2 } != nil)
            engine.send(.call(.dialled, .hold))
            let events = media.waitForEnds(1)
            #expect(events.first?.event == 1 && events.first?.ends == 3)
            #expect(far.receive { $0.hasPrefix("INVITE ") && $0.contains("a=sendonly") } != nil)
        }

        @Test func keysAreNotSentToFarEndThatHoldsTheCall() throws {
            let (callID, tag) = try connect()
            for (sequence, isHeld) in [(2, true), (3, false)] {
                let direction = isHeld ? "sendonly" : "sendrecv"
                far.send(
                    far.request(
                        "INVITE", callID: callID, sequence: sequence,
                        body: ScriptedRegistrar.session(port: media.port, direction: direction), toTag: tag))
                #expect(engine.wait(for: .call(.dialled, .heldByFarEnd(isHeld))))
                far.send(far.request("ACK", callID: callID, sequence: sequence, toTag: tag))
                engine.send(.call(.dialled, .pressKey(isHeld ? "1" : "2")))
                engine.send(.call(.dialled, .releaseKey))
            }
            #expect(media.waitForEnds(1).map(\.event) == [2])
        }

        @Test func keyIsTimedByClockOfEvents() throws {
            // Such events beside Opus are common, although that has another clock.
            let rate = 8_000
            let offer = try dial()
            let opus = try payloadType("opus/48000/2", in: offer)
            far.answer(
                offer,
                session: ScriptedRegistrar.session(port: media.port).replacingOccurrences(
                    of: "RTP/AVP 8 101\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000",
                    with: "RTP/AVP \(opus) 101\r\na=rtpmap:\(opus) opus/48000/2\r\n"
                        + "a=rtpmap:101 telephone-event/\(rate)"))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(media.waitForEnds(1).map(\.duration) == [rate / 10])
            // Longer than the 16 bits of the sound's clock can count.
            engine.send(.call(.dialled, .pressKey("9")))
            #expect(media.wait { $0.event == 9 && $0.duration >= rate * 3 / 2 }?.isEnd == false)
            engine.send(.call(.dialled, .releaseKey))
            let event = try #require(media.waitForEnds(2).last)
            #expect(event.event == 9 && event.segments == 1 && event.marks == 1 && event.ends == 3)
            #expect((rate * 3 / 2..<rate * 5 / 2).contains(event.duration))
        }

        @Test(arguments: ["opus/48000/2", "G722/8000"])
        func keyIsSentByInfoWithoutEventsOfKnownClock(codec: String) throws {
            // An event needs the clock of the sound (RFC 4733, section 2.1), or 8,000 Hz, which everybody has.
            let offer = try dial()
            let type = codec == "G722/8000" ? "9" : try payloadType(codec, in: offer)
            far.answer(
                offer,
                session: ScriptedRegistrar.session(port: media.port).replacingOccurrences(
                    of: "RTP/AVP 8 101\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000",
                    with: "RTP/AVP \(type) 101\r\na=rtpmap:\(type) \(codec)\r\n"
                        + "a=rtpmap:101 telephone-event/16000"))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(far.receive { $0.hasPrefix("INFO ") }?.contains("Signal=5") == true)
        }

        /// Returns the reports of lost keys until the engine answers.
        private func reportsOfLostKeys(_ heartbeat: Int) -> [Bool] {
            var reports: [Bool] = []
            engine.send(.heartbeat(heartbeat))
            _ = engine.waitForMessage { event -> Bool? in
                if case .event(.call(.dialled, .keysRefused(let areRefused))) = event {
                    reports.append(areRefused)
                }
                return event == .heartbeat(heartbeat) ? true : nil
            }
            return reports
        }

        @Test(arguments: ["415 Unsupported Media Type", "501 Not Implemented", "405 Method Not Allowed"])
        func keyThatIsSentInNoWayIsReportedOnce(status: String) throws {
            let invite = try dial()
            let plain = ScriptedRegistrar.session(port: media.port)
            let wideband = "RTP/AVP 9\r\na=rtpmap:9 G722/8000"
            let events = "RTP/AVP 8 101\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000"
            far.answer(invite, session: plain.replacingOccurrences(of: events, with: wideband), tag: "caller")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .sendKey("5")))
            far.reply(to: try #require(far.receive { $0.hasPrefix("INFO ") }), status)
            #expect(engine.wait(for: .call(.dialled, .keysRefused(true))))
            for key in ["7", "8"] { engine.send(.call(.dialled, .sendKey(key))) }
            #expect(reportsOfLostKeys(1).isEmpty)
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INFO ") } == nil)
            // Keys are sent again once the far end has a way for them.
            let other = plain.replacingOccurrences(of: "o=- 1 1", with: "o=- 1 2")
            let callID = ScriptedRegistrar.field("Call-ID", in: invite)
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "From", in: invite)
            far.send(far.request("INVITE", callID: callID, sequence: 2, body: other, toTag: tag))
            #expect(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains("CSeq: 2 INVITE") } != nil)
            far.send(far.request("ACK", callID: callID, sequence: 2, toTag: tag))
            engine.send(.call(.dialled, .sendKey("9")))
            #expect(engine.wait(for: .call(.dialled, .keysRefused(false))))
            #expect(media.waitForEnds(1).map(\.event) == [9])
        }

        @Test func keyWithoutEventsIsReportedIfTheAccountHasNoOtherWay() throws {
            try connectWithInfo(
                ScriptedRegistrar.session(port: media.port).replacingOccurrences(
                    of: "AVP 8 101", with: "AVP 8"
                ).replacingOccurrences(of: "a=rtpmap:101 telephone-event/8000\r\n", with: ""), .rfc4733)
            engine.send(.call(.dialled, .sendKey("5")))
            #expect(engine.wait(for: .call(.dialled, .keysRefused(true))))
            #expect(far.receive(seconds: 0.2) { $0.hasPrefix("INFO ") } == nil)
        }

        /// Registers an account that sends keys by INFO or in another way, and calls the far end.
        private func connectWithInfo(_ session: String, _ dtmf: SIPAccount.DTMFMode = .info) throws {
            let account = SIPAccount(
                id: "info", address: "sip:alice@127.0.0.1", registrar: "sip:127.0.0.1:\(far.port)",
                transport: .udp, encryption: .off, dtmf: dtmf)
            engine.send(.setAccount(account, password: "x"))
            #expect(far.acceptRegistration() && engine.waitForRegistration() == .registered)
            engine.send(.call(.dialled, .dial(account: "info", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.answer(invite, session: session)
            #expect(engine.wait(for: .call(.dialled, .answered)))
        }

        @Test(arguments: ["415 Unsupported Media Type", "405 Method Not Allowed"])
        func keyThatIsRefusedIsSentAsEvent(status: String) throws {
            try connectWithInfo(ScriptedRegistrar.session(port: media.port))
            for key in ["4", "5", "6"] { engine.send(.call(.dialled, .sendKey(key))) }
            far.reply(to: try receiveFirstOfMany(), "200 OK")
            for key in ["5", "6"] {
                let info = try #require(far.receive { $0.hasPrefix("INFO ") })
                #expect(info.contains("Signal=\(key)"))
                far.reply(to: info, status)
            }
            #expect(media.waitForEnds(2).map(\.event) == [5, 6])
            engine.send(.call(.dialled, .sendKey("7")))
            #expect(media.waitForEnds(3).map(\.event) == [5, 6, 7])
            #expect(far.receive(seconds: 0.2) { $0.contains("Signal=7") } == nil)
        }

        @Test func repeatedRefusalConcernsOneKey() throws {
            try connectWithInfo(ScriptedRegistrar.session(port: media.port))
            for key in ["4", "5"] { engine.send(.call(.dialled, .sendKey(key))) }
            let first = try receiveFirstOfMany()
            for _ in 0..<3 { far.reply(to: first, "415 Unsupported Media Type") }
            let info = try #require(far.receive { $0.hasPrefix("INFO ") })
            #expect(info.contains("Signal=5"))
            far.reply(to: info, "200 OK")
            #expect(media.waitForEnds(1).map(\.event) == [4])
            engine.send(.call(.dialled, .sendKey("6")))
            #expect(media.waitForEnds(2).map(\.event) == [4, 6])
        }

        /// belle-sip sends no INVITE and no REFER before the response to INFO.
        @Test(arguments: [
            (SIPCommand.call(.dialled, .hold), "INVITE "),
            (.call(.dialled, .transferToAddress("sip:other@127.0.0.1")), "REFER "),
        ])
        func requestAfterKeyWaitsForItsResponse(command: SIPCommand, method: String) throws {
            try connectWithInfo(ScriptedRegistrar.session(port: media.port))
            engine.send(.call(.dialled, .sendKey("4")))
            let info = try #require(far.receive { $0.hasPrefix("INFO ") })
            engine.send(command)
            engine.send(.heartbeat(1))
            #expect(engine.wait(for: .heartbeat(1)))
            far.reply(to: info, "200 OK")
            #expect(far.receive { $0.hasPrefix(method) } != nil)
        }

        /// Returns the first key by INFO when the others wait behind it.
        ///
        /// belle-sip sends a request of a dialog after the response to the one before, and again after half a second.
        private func receiveFirstOfMany() throws -> String {
            let first = try #require(far.receive { $0.hasPrefix("INFO ") })
            #expect(far.receiveAgain(first))
            return first
        }

        @Test func keyThatIsRefusedIsHeardInTheSoundWithoutEvents() throws {
            try connectWithInfo(
                ScriptedRegistrar.session(port: media.port).split(separator: "\r\n").filter {
                    !$0.contains("telephone-event")
                }.map { $0.replacingOccurrences(of: "AVP 8 101", with: "AVP 8") + "\r\n" }.joined())
            engine.send(.call(.dialled, .sendKey("5")))
            far.reply(to: try #require(far.receive { $0.hasPrefix("INFO ") }), "415 Unsupported Media Type")
            #expect(media.waitForTone())
            // The next call offers events again.
            engine.send(.call(.dialled, .hangUp))
            far.reply(to: try #require(far.receive { $0.hasPrefix("BYE ") }), "200 OK")
            engine.send(.call(.second, .dial(account: "info", address: "sip:far@127.0.0.1")))
            #expect(far.receive { $0.hasPrefix("INVITE ") }?.contains("telephone-event/8000") == true)
        }

        @Test func longKeyIsSentInSegments() throws {
            // The duration has 16 bits, or 1.36 s of this clock.
            let offer = try dial()
            let opus = try payloadType("opus/48000/2", in: offer)
            let events = try payloadType("telephone-event/48000", in: offer)
            media.payloadType = try #require(UInt8(events))
            far.answer(
                offer,
                session: ScriptedRegistrar.session(port: media.port).replacingOccurrences(
                    of: "RTP/AVP 8 101\r\na=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000",
                    with: "RTP/AVP \(opus) \(events)\r\na=rtpmap:\(opus) opus/48000/2\r\n"
                        + "a=rtpmap:\(events) telephone-event/48000"))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .pressKey("9")))
            #expect(media.wait { $0.duration > 60_000 } != nil)
            #expect(media.wait { $0.duration == 4_800 } != nil)
            engine.send(.call(.dialled, .releaseKey))
            let event = try #require(media.waitForEnds(1).first)
            #expect(event.event == 9 && event.segments == 2 && event.marks == 1 && event.ends == 3)
            #expect((69_000..<90_000).contains(event.duration))
        }
    }
}
