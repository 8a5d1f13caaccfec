// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import HelperMessages
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// The test messages of RFC 4475 and RFC 5118, which a proxy passes on to the running engine.
    @Suite struct Torture {
        private static let messages =
            TortureMessages.valid + TortureMessages.invalid + TortureMessages.others + TortureMessages.ipv6

        @Test func messagesOverUDPAreAnsweredOrIgnored() throws {
            #expect(Set(Self.messages.map(\.name)).count == 61)
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess()
            #expect(engine.register(at: registrar, encryption: .off))
            for message in Self.messages {
                // As it stands in the document, and with a field that leads the response back.
                registrar.send(message.bytes(via: nil))
                let branch = "z9hG4bK-\(message.name)"
                registrar.send(message.bytes(via: "SIP/2.0/UDP 127.0.0.1:\(registrar.port);branch=\(branch)"))
                let callID = "after-\(message.name)"
                var statuses: [Int] = []
                // A response is sent at once, and so before that of the next request.
                for _ in 0..<2 { registrar.send(registrar.request("OPTIONS", callID: callID)) }
                let next = registrar.receive { text in
                    if text.contains(";branch=\(branch)\r\n") || text.contains(";branch=\(branch);") {
                        statuses.append(Self.status(of: text))
                    }
                    return text.hasPrefix("SIP/2.0 ") && text.contains(callID)
                }
                guard next != nil else {
                    Issue.record("the engine does not answer after \(message)")
                    return
                }
                if message.statuses.isEmpty {
                    #expect(statuses.isEmpty, "\(message)")
                } else {
                    #expect(
                        !statuses.isEmpty && statuses.allSatisfy(message.statuses.contains),
                        "\(message): \(statuses)")
                }
                while let call = engine.waitForCall(seconds: 0.001) { engine.send(.call(call.id, .hangUp)) }
            }
            try takesCall(engine, registrar)
        }

        @Test func messagesOverTCPDoNotEndTheEngine() throws {
            let server = try FuzzedRegistrar(.tcp)
            let engine = try EngineProcess()
            #expect(server.register(engine))
            for (index, message) in Self.messages.enumerated() {
                server.send(
                    message.bytes(via: "SIP/2.0/TCP 127.0.0.1:\(server.port);branch=z9hG4bK-\(message.name)"))
                engine.send(.heartbeat(index))
                #expect(engine.wait(for: .heartbeat(index)), "\(message)")
                let callID = "after-\(message.name)"
                server.send(server.request("OPTIONS", callID: callID))
                // What a message with a false length swallows needs a new connection.
                if server.receive(seconds: 0.5, where: { $0.hasPrefix("SIP/2.0 ") && $0.contains(callID) })
                    == nil
                {
                    #expect(server.connectAgain(), "\(message)")
                }
                while let call = engine.waitForCall(seconds: 0.001) { engine.send(.call(call.id, .hangUp)) }
            }
            server.send(server.request("INVITE", callID: "last", body: ScriptedRegistrar.session))
            #expect(engine.waitForCall()?.caller.displayName == "Caller")
        }

        private func takesCall(_ engine: EngineProcess, _ registrar: ScriptedRegistrar) throws {
            registrar.send(registrar.request("INVITE", callID: "last", body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = registrar.receive {
                $0.hasPrefix("SIP/2.0 200 ") && $0.contains("Call-ID: last\r\n")
            }
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: try #require(answer))
            registrar.send(registrar.request("ACK", callID: "last", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
        }

        private static func status(of text: String) -> Int {
            Int(text.dropFirst("SIP/2.0 ".count).prefix(3)) ?? 0
        }
    }
}
