// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the codecs of accounts in their order.
    @Suite struct CodecOrder {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
        }

        private func register(_ id: String, _ codecs: [SIPAccount.Codec], at far: ScriptedRegistrar) {
            let account = SIPAccount(
                id: id, address: "sip:\(id)@\(far.host)", registrar: "sip:\(far.host):\(far.port)",
                transport: .udp, encryption: .off, codecs: codecs)
            engine.send(.setAccount(account, password: "x"))
            #expect(far.acceptRegistration() && engine.waitForRegistration() == .registered)
        }

        /// Returns the codecs of a session in their order, without telephone events.
        private func codecs(in message: String) throws -> [String] {
            let lines = message.components(separatedBy: "\r\n")
            let media = try #require(lines.first { $0.hasPrefix("m=audio ") })
            let standard = ["0": "PCMU", "8": "PCMA", "9": "G722"]
            return media.split(separator: " ").dropFirst(3).compactMap { number in
                let map = lines.first { $0.hasPrefix("a=rtpmap:\(number) ") }
                let name = map?.split(separator: " ")[1].split(separator: "/")[0]
                return name.map(String.init) ?? standard[String(number)]
            }.filter { $0 != "telephone-event" }
        }

        private func dial(
            _ id: SIPCallID = .dialled, from account: String = "alice", at far: ScriptedRegistrar
        )
            throws -> String
        {
            engine.send(.call(id, .dial(account: account, address: "sip:far@\(far.host)")))
            return try #require(far.receive { $0.hasPrefix("INVITE ") })
        }

        @Test(arguments: [SIPAccount.Codec.allCases, [.pcmu, .opus], [.pcma]])
        func offerHasCodecsInOrder(_ wanted: [SIPAccount.Codec]) throws {
            register("alice", wanted, at: far)
            let offered = try codecs(in: dial(at: far))
            #expect(offered == wanted.map(\.rawValue))
        }

        @Test func answerHasOnlyTheCodecsOfTheAccount() throws {
            register("alice", [.pcmu], at: far)
            let offer = ScriptedRegistrar.session.replacingOccurrences(of: "AVP 8 101", with: "AVP 8 0 101")
            far.send(far.request("INVITE", callID: "both", body: offer))
            engine.send(.call(try #require(engine.waitForCall()).id, .answer))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains("both") })
            #expect(try codecs(in: answer) == ["PCMU"])
            far.send(far.request("INVITE", callID: "other", body: ScriptedRegistrar.session))
            let refusal = far.receive { $0.contains("other") && !$0.hasPrefix("SIP/2.0 100") }
            #expect(refusal?.hasPrefix("SIP/2.0 488") == true)
        }

        @Test func callsOfTwoAccountsKeepTheirCodecs() throws {
            let other = try ScriptedRegistrar(host: "127.0.0.3")
            register("alice", [.pcmu, .pcma], at: far)
            register("bob", [.opus, .pcma], at: other)
            let invite = try dial(at: far)
            far.answer(invite, tag: "far")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hold))
            let hold = try #require(far.receive { $0.hasPrefix("INVITE ") && $0.contains("a=sendonly") })
            #expect(try codecs(in: hold) == ["PCMU", "PCMA"])
            far.answer(
                hold, session: ScriptedRegistrar.session(port: 40_000, direction: "recvonly"), tag: "far")
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            let second = try codecs(in: dial(.second, from: "bob", at: other))
            #expect(second == ["opus", "PCMA"])
            // The far end offers more than the account has.
            let offer = ScriptedRegistrar.session.replacingOccurrences(
                of: "AVP 8 101\r\n", with: "AVP 96 9 8 101\r\na=rtpmap:96 opus/48000/2\r\n")
            let request = far.request(
                "INVITE", callID: ScriptedRegistrar.field("Call-ID", in: invite), sequence: 2, body: offer,
                toTag: ";tag=" + ScriptedRegistrar.tag(of: "From", in: invite))
            far.send(request.replacingOccurrences(of: ";tag=caller", with: ";tag=far"))
            let answer = try #require(far.receive { $0.hasPrefix("SIP/2.0 200") && $0.contains("2 INVITE") })
            #expect(try codecs(in: answer) == ["PCMA"])
        }
    }
}
