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

        private func register(server: String, user: String, password: String) {
            // The account has the same user name as the server's, and another password.
            let account = SIPAccount(
                id: "alice", address: "sip:ada@127.0.0.1", registrar: "sip:127.0.0.1:\(far.port)",
                transport: .udp, encryption: .off, stunServer: server, relayUser: user)
            engine.send(.setAccount(account, password: "registered", relayPassword: password))
            #expect(far.acceptRegistration() && engine.waitForRegistration() == .registered)
        }

        private func waitForRelay(seconds: Double = 10) -> SIPRelayState? {
            engine.wait(seconds: seconds) { if case .relay("alice", let state) = $0 { state } else { nil } }
        }

        /// Returns the types of the candidates in the offer of a call, each once.
        private func candidates(
            server: String, user: String = "ada", password: String = "relayed"
        ) throws -> Set<String> {
            register(server: server, user: user, password: password)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let offer = try #require(far.receive { $0.hasPrefix("INVITE ") })
            far.answer(offer)
            #expect(engine.wait(for: .call(.dialled, .answered)))
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

        @Test(arguments: [
            ("ada", "relayed", SIPRelayState.accepted), ("ada", "wrong", .wrongPassword),
            ("nobody", "relayed", .wrongPassword),
        ])
        func passwordIsChecked(user: String, password: String, state: SIPRelayState) throws {
            let server = try Coturn()
            defer { server.end() }
            register(server: server.address, user: user, password: password)
            #expect(waitForRelay() == state)
        }

        @Test func silentServerIsReported() throws {
            let port = try #require(freePorts(1).first)
            register(server: "127.0.0.1:\(port)", user: "ada", password: "x")
            #expect(waitForRelay() == .noAnswer)
        }

        @Test func serverWithoutUserIsNotChecked() throws {
            let relay = try ScriptedRegistrar()
            register(server: "127.0.0.1:\(relay.port)", user: "", password: "")
            #expect(waitForRelay(seconds: 0.3) == nil)
        }

        @Test(arguments: [
            // No realm; a message before it that is cut off; one of these; no capacity.
            (401, [UInt8](), 0, SIPRelayState.refused(status: 401)),
            (486, [1, 0x13, 0xff, 0xff, 0x21, 0x12, 0xa4, 0x42], 0, .refused(status: 486)),
            (486, [], 3, .noAnswer), (508, [], 0, .refused(status: 508)),
        ])
        func answersOfServerAreRead(error: Int, prefix: [UInt8], end: Int, state: SIPRelayState) throws {
            let relay = try ScriptedRegistrar()
            register(server: "127.0.0.1:\(relay.port)", user: "ada", password: "x")
            let request = try #require(relay.receiveBytes())
            #expect(request.starts(with: [0, 3]))
            if !prefix.isEmpty { relay.send(prefix) }
            // The error response to Allocate, with ERROR-CODE (RFC 8489, section 14.8).
            let attribute: [UInt8] = [0, 9, 0, 4, 0, 0, UInt8(error / 100), UInt8(error % 100)]
            let answer: [UInt8] = [1, 0x13, 0, UInt8(attribute.count)] + request[4..<20] + attribute
            relay.send(Array(answer.dropLast(end)))
            #expect(waitForRelay() == state)
        }

        @Test func callsWorkWithSilentServer() throws {
            let port = try #require(freePorts(1).first)
            #expect(try candidates(server: "127.0.0.1:\(port)").contains("host"))
        }
    }
}
