// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of who gets a response to a challenge (RFC 3261, section 22).
    @Suite struct Challenges {
        private let registrar: ScriptedRegistrar
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            registrar = try ScriptedRegistrar()
            far = try ScriptedRegistrar(host: "127.0.0.2")
            engine = try EngineProcess()
        }

        private static func challenge(_ realm: String, field: String = "WWW-Authenticate") -> String {
            "\(field): Digest realm=\"\(realm)\", nonce=\"n\", algorithm=MD5\r\n"
        }

        /// Registers, after a challenge if there is a realm.
        private func register(realm: String?) throws {
            engine.send(
                .setAccount(
                    SIPAccount(
                        id: "alice", address: "sip:alice@example.org",
                        registrar: "sip:127.0.0.1:\(registrar.port)", transport: .udp, encryption: .off),
                    password: "secret"))
            if let realm {
                let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
                registrar.reply(to: request, "401 Unauthorized", Self.challenge(realm))
                let second = try #require(
                    registrar.receive {
                        $0.hasPrefix("REGISTER ") && $0.contains("CSeq: 21 ") || $0.contains("uthorization:")
                    })
                #expect(second.contains("response="))
                registrar.reply(
                    to: second, "200 OK",
                    "Contact: \(ScriptedRegistrar.field("Contact", in: second));expires=600\r\n")
            } else {
                #expect(registrar.acceptRegistration())
            }
            #expect(engine.waitForRegistration() == .registered)
        }

        private func dial() throws -> String {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@example.org")))
            return try #require(registrar.receive { $0.hasPrefix("INVITE ") })
        }

        @Test(arguments: ["401", "407"], ["evil", "home"])
        func farEndGetsNoResponseToItsChallenge(status: String, realm: String) throws {
            try register(realm: "home")
            let invite = try dial()
            // The far end takes the requests of the call itself.
            registrar.answer(invite, contact: "127.0.0.2:\(far.port)")
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            let bye = try #require(far.receive { $0.hasPrefix("BYE ") })
            #expect(!bye.contains("uthorization:"))
            let field = status == "401" ? "WWW-Authenticate" : "Proxy-Authenticate"
            far.reply(to: bye, "\(status) Who", Self.challenge(realm, field: field))
            #expect(engine.waitForEnd(of: .dialled) != nil)
            #expect(far.receive(seconds: 0.3) { $0.contains("uthorization:") } == nil)
            #expect(registrar.receive(seconds: 0.1) { $0.contains("uthorization:") } == nil)
        }

        @Test(arguments: [nil, "home"] as [String?])
        func serverGetsNoResponseForAnotherRealm(own: String?) throws {
            try register(realm: own)
            let invite = try dial()
            registrar.reply(to: invite, "401 Unauthorized", Self.challenge("evil"))
            let end = try #require(engine.waitForEnd(of: .dialled))
            #expect(end.status == 403)
            #expect(registrar.receive(seconds: 0.3) { $0.contains("uthorization:") } == nil)
        }

        @Test(arguments: [(nil, "example.org"), (nil, "127.0.0.1"), ("home", "home")] as [(String?, String)])
        func serverGetsResponseForItsRealm(own: String?, realm: String) throws {
            try register(realm: own)
            let invite = try dial()
            let foreign = Self.challenge("evil", field: "Proxy-Authenticate")
            registrar.reply(
                to: invite, "407 Who", foreign + Self.challenge(realm, field: "Proxy-Authenticate"))
            let second = try #require(
                registrar.receive { $0.hasPrefix("INVITE ") && $0.contains("response=") })
            #expect(second.contains("realm=\"\(realm)\"") && !second.contains("evil"))
            registrar.answer(second, contact: "127.0.0.2:\(far.port)")
            // What the registrar asked for is not told to the far end.
            let ack = try #require(far.receive { $0.hasPrefix("ACK ") })
            #expect(!ack.contains("uthorization:"))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .hangUp))
            let bye = try #require(far.receive { $0.hasPrefix("BYE ") })
            #expect(!bye.contains("uthorization:"))
        }

        @Test(arguments: [
            "Basic realm=\"home\"", "Bearer realm=\"home\"", "Digest nonce=\"n\"", "Digest realm=\"home\"",
            "Digest", "Digest realm=\"\", nonce=\"n\"", "NTLM",
        ])
        func otherChallengesDoNoHarm(challenge: String) throws {
            try register(realm: "home")
            let invite = try dial()
            for field in ["WWW-Authenticate", "Proxy-Authenticate"] {
                registrar.reply(to: invite, "401 Who", "\(field): \(challenge)\r\n")
            }
            #expect(engine.waitForEnd(of: .dialled)?.status == 494)
            engine.send(.refresh)
            let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
            registrar.reply(to: request, "401 Who", "WWW-Authenticate: \(challenge)\r\n")
            #expect(engine.waitForRegistration() == .failed(.challengeNotSupported))
            #expect(engine.isRunning)
        }

        private static func digest(_ parameters: String) -> String {
            "WWW-Authenticate: Digest realm=\"home\", nonce=\"n\", \(parameters)\r\n"
        }

        private func setAccount() {
            engine.send(
                .setAccount(
                    SIPAccount(
                        id: "alice", address: "sip:alice@example.org",
                        registrar: "sip:127.0.0.1:\(registrar.port)", transport: .udp, encryption: .off),
                    password: "secret"))
        }

        @Test(arguments: [
            (["algorithm=SHA-512-256", "algorithm=MD5"], "MD5"),
            (["algorithm=AKAv1-MD5", "qop=\"auth\""], "MD5"),
            (["algorithm=SHA-256, qop=\"auth\"", "algorithm=MD5, qop=\"auth\""], "SHA-256"),
            (["algorithm=MD5, qop=\"auth\"", "algorithm=SHA-256, qop=\"auth\""], "MD5"),
            (["algorithm=sha-256"], "SHA-256"), (["qop=\"auth-int,auth\""], "MD5"),
            (["qop=\"auth-int\", algorithm=SHA-256", "qop=\"auth, auth-int\", algorithm=MD5"], "MD5"),
            (Array(repeating: "algorithm=MD5-sess", count: 30) + ["algorithm=MD5"], "MD5"),
        ])
        func firstSupportedChallengeIsUsed(challenges: [String], algorithm: String) throws {
            setAccount()
            let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
            registrar.reply(to: request, "401 Unauthorized", challenges.map(Self.digest).joined())
            let second = try #require(
                registrar.receive { $0.hasPrefix("REGISTER ") && $0.contains("response=") })
            let fields = second.components(separatedBy: "\r\n").filter { $0.hasPrefix("Authorization:") }
            #expect(fields.count == 1)
            #expect(fields.first?.contains("algorithm=\(algorithm)") == true)
            let digits = fields.first?.components(separatedBy: "response=\"").last?.prefix { $0 != "\"" }
            #expect(digits?.count == (algorithm == "MD5" ? 32 : 64))
            #expect(fields.first?.contains("auth-int") == false)
        }

        @Test(arguments: [
            "algorithm=MD5-sess", "algorithm=SHA-512-256", "qop=\"auth-int\"",
        ])
        func challengesThatNobodyCanAnswerAreNamed(parameters: String) throws {
            setAccount()
            let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
            registrar.reply(to: request, "401 Unauthorized", Self.digest(parameters))
            #expect(engine.waitForRegistration() == .failed(.challengeNotSupported))
            #expect(registrar.receive(seconds: 0.3, where: ScriptedRegistrar.isAttempt) == nil)
        }

        @Test func serverMayChangeItsAlgorithm() throws {
            try register(realm: "home")
            for (parameters, length) in [
                ("algorithm=SHA-256", 64), ("qop=\"auth\"", 32), ("algorithm=SHA-256", 64),
            ] {
                engine.send(.refresh)
                let request = try #require(registrar.receive { $0.hasPrefix("REGISTER ") })
                let nonce = "nonce=\"\(UUID().uuidString)\""
                registrar.reply(
                    to: request, "401 Unauthorized",
                    Self.digest(parameters).replacingOccurrences(of: "nonce=\"n\"", with: nonce))
                let second = try #require(
                    registrar.receive { $0.hasPrefix("REGISTER ") && $0.contains(nonce) })
                let line = second.components(separatedBy: "\r\n").first { $0.contains(nonce) } ?? ""
                let digits = line.components(separatedBy: "response=\"").last?.prefix { $0 != "\"" }
                #expect(digits?.count == length)
                registrar.reply(
                    to: second, "200 OK",
                    "Contact: \(ScriptedRegistrar.field("Contact", in: second));expires=600\r\n")
            }
        }
    }
}
