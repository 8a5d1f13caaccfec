// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of accounts with a STUN or TURN server.
    @Suite struct Relays {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
        }

        /// Returns the types of the candidates in the offer of a call, each once.
        private func candidates(
            server: String, user: String = "ada", password: String = "relayed"
        ) throws -> Set<String> {
            // The account has the same user name as the server's, and another password.
            let account = SIPAccount(
                id: "alice", address: "sip:ada@127.0.0.1", registrar: "sip:127.0.0.1:\(far.port)",
                transport: .udp, encryption: .off, stunServer: server, relayUser: user)
            engine.send(.setAccount(account, password: "registered", relayPassword: password))
            #expect(far.acceptRegistration() && engine.waitForRegistration() == .registered)
            engine.send(.dial(.dialled, account: "alice", address: "sip:far@127.0.0.1"))
            let offer = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.answer(offer)
            #expect(engine.wait(for: .answered(.dialled)))
            return Set(
                offer.components(separatedBy: "\r\n").filter { $0.hasPrefix("a=candidate:") }.compactMap {
                    $0.components(separatedBy: " typ ").last?.split(separator: " ").first.map(String.init)
                })
        }

        @Test(.enabled(if: Coturn.host != "127.0.0.1", "ICE does not use the loopback interface"))
        func relayIsOfferedWithTheRightPassword() throws {
            let server = try Coturn()
            defer { server.end() }
            let found = try candidates(server: server.address)
            #expect(found.contains("relay"))
        }

        @Test(arguments: [("ada", "wrong"), ("nobody", "relayed"), ("ada", "")])
        func callsWorkWithoutRelay(user: String, password: String) throws {
            let server = try Coturn()
            defer { server.end() }
            let found = try candidates(server: server.address, user: user, password: password)
            #expect(found.contains("host") && !found.contains("relay"))
        }

        @Test func callsWorkWithSilentServer() throws {
            let port = try #require(Prosody.freePorts(1).first)
            #expect(try candidates(server: "127.0.0.1:\(port)").contains("host"))
        }
    }
}
