// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of bodies with several parts (RFC 2046, RFC 5621), as gateways and emergency calls have.
    @Suite struct Multipart {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .off))
        }

        private static let location =
            "Content-Type: application/pidf+xml\r\nContent-ID: <place@example.org>\r\n\r\n<presence/>\r\n"
        private static let signals =
            "Content-Type: application/ISUP;version=nxv3;base=etsi121\r\n"
            + "Content-Disposition: signal;handling=optional\r\n\r\n\u{1}\u{0}I\u{0}\n\u{3}\u{2}\u{0}\r\n"
        private static func session(_ fields: String = "") -> String {
            "Content-Type: application/sdp\r\n\(fields)\r\n\(ScriptedRegistrar.session)\r\n"
        }

        /// Returns a body with the parts.
        private static func body(_ parts: [String], boundary: String = "x") -> String {
            "A preamble\r\n" + parts.map { "--\(boundary)\r\n\($0)" }.joined()
                + "--\(boundary)--\r\nAn epilogue"
        }

        private func request(
            _ method: String, callID: String, sequence: Int = 1, type: String = "multipart/mixed;boundary=x",
            body: String, toTag: String = ""
        ) -> String {
            far.request(
                method, callID: callID, sequence: sequence, fields: "MIME-Version: 1.0\r\n", body: body,
                toTag: toTag
            ).replacingOccurrences(
                of: "Content-Type: application/sdp\r\nContent-Length",
                with: "Content-Type: \(type)\r\nContent-Length")
        }

        /// Returns the final response to a request.
        private func response(_ callID: String, _ sequence: String = "1 INVITE") throws -> String {
            try #require(
                far.receive {
                    $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 1")
                        && $0.contains("Call-ID: \(callID)\r\n")
                        && $0.contains("CSeq: \(sequence)\r\n")
                })
        }

        /// Bodies with a session for the phone, and the types of them.
        private static let honest: [(name: String, type: String, body: String)] = [
            ("location", "multipart/mixed;boundary=x", body([location, session()])),
            ("session first", "multipart/mixed; boundary=\"x\"", body([session(), location])),
            ("ISUP", "multipart/mixed;boundary=x", body([signals, session()])),
            (
                "quoted boundary", "Multipart/Mixed ; charset=utf-8; BOUNDARY=\"a b:c/\\\"d\"",
                body([location, session()], boundary: "a b:c/\"d")
            ),
            (
                "longest boundary", "multipart/mixed;boundary=" + String(repeating: "b", count: 70),
                body([session()], boundary: String(repeating: "b", count: 70))
            ),
            (
                "fields", "multipart/mixed;boundary=x",
                body([
                    session(
                        "Content-Disposition: session;\r\n handling=required\r\nContent-Transfer-Encoding: 8bit\r\n"
                    )
                ])
            ),
            (
                "part in a part", "multipart/mixed;boundary=x",
                body([
                    location,
                    "Content-Type: multipart/alternative;boundary=y\r\n\r\n"
                        + body([location, session()], boundary: "y")
                        + "\r\n",
                ])
            ),
            (
                "early session beside", "multipart/mixed;boundary=x",
                body([
                    "Content-Type: application/sdp\r\nContent-Disposition: early-session\r\n\r\nv=0\r\n",
                    session(),
                ])
            ),
            (
                "16 parts", "multipart/related;boundary=x",
                body(Array(repeating: location, count: 15) + [session()])
            ),
            (
                "boundary in a line", "multipart/mixed;boundary=x",
                body(["Content-Type: text/plain\r\n\r\n--xyz\r\n --x\r\n--x-\r\n", session()])
            ),
        ]

        @Test(arguments: honest.indices)
        func sessionOfSeveralPartsIsTaken(index: Int) throws {
            let (name, type, body) = Self.honest[index]
            far.send(request("INVITE", callID: "call", type: type, body: body))
            let call = try #require(engine.waitForCall(), "\(name)")
            engine.send(.call(call.id, .answer))
            let answer = try response("call")
            #expect(answer.hasPrefix("SIP/2.0 200 ") && answer.contains("m=audio "), "\(name)")
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            far.send(far.request("ACK", callID: "call", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            // A gateway ends the call so, too.
            far.send(request("BYE", callID: "call", sequence: 2, body: Self.body([Self.signals]), toTag: tag))
            #expect(try response("call", "2 BYE").hasPrefix("SIP/2.0 200 "))
            #expect(engine.waitForEnd(of: call.id) != nil)
        }

        @Test func sessionOfAnswerIsTaken() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.reply(
                to: invite, "200 OK",
                "Contact: <sip:far@127.0.0.1:\(far.port)>\r\nContent-Type: multipart/mixed;boundary=x\r\n",
                body: Self.body([Self.signals, Self.session()]))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            #expect(far.receive { $0.hasPrefix("BYE ") } != nil)
        }

        @Test func answerWithoutSessionDoesNoHarm() throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            for status in ["183 Progress", "200 OK"] {
                far.reply(
                    to: invite, status,
                    "Contact: <sip:far@127.0.0.1:\(far.port)>\r\nContent-Type: multipart/mixed;boundary=x\r\n",
                    body: Self.body([Self.signals]))
            }
            #expect(far.isAnswered())
        }

        /// Bodies that are refused.
        private static let hostile: [(name: String, type: String, body: String)] = [
            ("no session", "multipart/mixed;boundary=x", body([location, signals])),
            ("no part", "multipart/mixed;boundary=x", body([])),
            ("no end", "multipart/mixed;boundary=x", "--x\r\n" + session()),
            ("no boundary", "multipart/mixed", body([session()])),
            ("empty boundary", "multipart/mixed;boundary=\"\"", body([session()], boundary: "")),
            ("other boundary", "multipart/mixed;boundary=z", body([session()])),
            ("boundary without an end", "multipart/mixed;boundary=\"x", body([location])),
            (
                "boundary of 71 characters", "multipart/mixed;boundary=" + String(repeating: "b", count: 71),
                body([session()], boundary: String(repeating: "b", count: 71))
            ),
            (
                "17 parts", "multipart/mixed;boundary=x",
                body(Array(repeating: location, count: 16) + [session()])
            ),
            (
                "1000 parts", "multipart/mixed;boundary=x",
                body(Array(repeating: "\r\n", count: 1_000) + [session()])
            ),
            ("no fields", "multipart/mixed;boundary=x", body([ScriptedRegistrar.session])),
            ("no empty line", "multipart/mixed;boundary=x", body(["Content-Type: application/sdp\r\n"])),
            (
                "base64", "multipart/mixed;boundary=x",
                body([session("Content-Transfer-Encoding: base64\r\n")])
            ),
            ("compressed", "multipart/mixed;boundary=x", body([session("Content-Encoding: gzip\r\n")])),
            (
                "early session alone", "multipart/mixed;boundary=x",
                body([session("Content-Disposition: early-session\r\n")])
            ),
            (
                "other part required", "multipart/mixed;boundary=x",
                body([signals.replacingOccurrences(of: "optional", with: "required"), session()])
            ),
            (
                "deep", "multipart/mixed;boundary=x",
                body([
                    (0..<40).reversed().reduce(session()) { inner, depth in
                        "Content-Type: multipart/mixed;boundary=b\(depth)\r\n\r\n"
                            + body([inner], boundary: "b\(depth)") + "\r\n"
                    }
                ])
            ),
        ]

        @Test func otherBodiesAreRefused() throws {
            for (index, (name, type, body)) in Self.hostile.enumerated() {
                far.send(request("INVITE", callID: "hostile-\(index)", type: type, body: body))
                let status = (try? response("hostile-\(index)")).map { String($0.prefix(12)) }
                #expect(status == "SIP/2.0 415 ", "\(name)")
            }
            far.send(request("INVITE", callID: "call", body: Self.body([Self.session()])))
            // A call of another message would have a smaller number.
            #expect(engine.waitForCall()?.id.rawValue == 1)
        }
    }
}
