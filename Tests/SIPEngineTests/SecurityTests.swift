// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    @Suite struct Security {
        @Test func goodCertificateIsAccepted() throws {
            let engine = try EngineProcess()
            #expect(try engine.register(account(with: "good")) == .registered)
        }

        @Test(arguments: [
            ("self", [SIPCertificateFault.Check.notTrusted]), ("expired", [.expired]),
            ("other", [.otherName]),
        ])
        func badCertificateIsReportedWithItsFingerprint(
            _ name: String, _ checks: [SIPCertificateFault.Check]
        ) throws {
            let engine = try EngineProcess()
            let fault = SIPCertificateFault(checks, fingerprint: try fingerprint(of: name))
            #expect(try engine.register(account(with: name)) == .failed(.certificate(fault)))
        }

        @Test(arguments: ["self", "expired", "other"])
        func badCertificateIsAcceptedIfTheUserTrustsIt(_ name: String) throws {
            let engine = try EngineProcess()
            var account = try account(with: name)
            // That of another server changes nothing.
            account.trustedCertificate = try hex(of: "good")
            guard case .failed(.certificate) = engine.register(account) else {
                Issue.record("a certificate was accepted")
                return
            }
            account.trustedCertificate = try hex(of: name)
            #expect(engine.register(account) == .registered)
            // The connection that was made does not outlive the trust.
            account.trustedCertificate = ""
            guard case .failed(.certificate) = engine.register(account) else {
                Issue.record("a connection to a server that is not trusted any more was used")
                return
            }
        }

        @Test func trustInOneServerDoesNotExtendToAnother() throws {
            let engine = try EngineProcess()
            var trusting = try account(with: "good")
            trusting.registrar = trusting.registrar.replacingOccurrences(of: "localhost", with: "127.0.0.1")
            trusting.trustedCertificate = try hex(of: "self")
            var other = try account(with: "self")
            other.id = "other"
            engine.send(.setAccount(trusting, password: "pw-alice"))
            engine.send(.setAccount(other, password: "pw-alice"))
            let state = engine.wait { event -> SIPRegistration? in
                if case .registration("other", let state) = event, state != .registering {
                    state
                } else {
                    nil
                }
            }
            guard case .failed(.certificate(let fault)) = state else {
                Issue.record("the other server is \(String(describing: state))")
                return
            }
            #expect(try fault.fingerprint == fingerprint(of: "self"))
        }

        @Test func certificateOfUnknownAuthorityIsRefused() throws {
            let engine = try EngineProcess(environment: ["SSL_CERT_FILE": ""])
            guard case .failed(.certificate(let fault)) = try engine.register(account(with: "good")) else {
                Issue.record("no fault of the certificate was reported")
                return
            }
            #expect(fault.checks == [.notTrusted])
        }

        @Test func plainFarEndIsRefusedIfEncryptionIsRequired() throws {
            let far = try SIPp("plain-uas")
            defer { far.end() }
            let engine = try EngineProcess()
            #expect(try engine.register(.at(Peers.kamailio(), encryption: .required)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1:\(far.port)")))
            let end = try #require(engine.waitForEnd(of: .dialled))
            #expect(end.side == .phone && end.status == 488, "the phone refuses the answer")
        }

        @Test func plainCallerIsRefusedIfEncryptionIsRequired() throws {
            let registrar = try ScriptedRegistrar()
            let engine = try EngineProcess()
            #expect(engine.register(at: registrar, encryption: .required))
            registrar.send(registrar.request("INVITE", body: ScriptedRegistrar.session))
            #expect(registrar.receive { $0.hasPrefix("SIP/2.0 488") } != nil)
        }

        @Test func farEndCannotCallInTheNameOfTheRegistrar() throws {
            let registrar = try ScriptedRegistrar()
            let far = try ScriptedRegistrar(host: "127.0.0.2")
            let engine = try EngineProcess()
            #expect(engine.register(at: registrar, encryption: .off))
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive { $0.hasPrefix("INVITE ") })
            registrar.answer(invite, contact: "127.0.0.2:\(far.port)")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(far.receive { $0.hasPrefix("ACK ") } != nil)
            #expect(far.isAnswered())
            let name = "P-Asserted-Identity: \"Bank\" <sip:bank@example.org>\r\n"
            for tag in ["", ";x=1", "\r\nTo: <sip:alice@127.0.0.1>;tag=1"] {
                far.send(
                    far.request("INVITE", fields: name, body: ScriptedRegistrar.session, toTag: tag))
            }
            let quoted = far.request("INVITE", fields: name, body: ScriptedRegistrar.session)
            far.send(quoted.replacingOccurrences(of: "To: <", with: "To: \";tag=1\" <"))
            far.send(quoted.replacingOccurrences(of: "To: <sip:alice", with: "t: <sip:alice;tag=1"))
            #expect(far.isAnswered())
            registrar.send(
                registrar.request(
                    "INVITE", fields: name.replacingOccurrences(of: "Bank", with: "Ada"),
                    body: ScriptedRegistrar.session))
            let call = engine.waitForCall()
            #expect(call?.id.rawValue == 1 && call?.caller.displayName == "Ada")
        }

        @Test func farEndCannotCallOnItsConnection() throws {
            let registrar = try StreamRegistrar()
            let far = try StreamRegistrar(host: "127.0.0.2")
            let engine = try EngineProcess()
            let account = SIPAccount(
                id: "alice", address: "sip:alice@127.0.0.1", registrar: "sip:127.0.0.1:\(registrar.port)",
                transport: .tcp, encryption: .off)
            engine.send(.setAccount(account, password: "x"))
            #expect(registrar.acceptRegistration() != nil && engine.waitForRegistration() == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(registrar.receive("INVITE "))
            registrar.send(
                ScriptedRegistrar.response(
                    to: invite, "200 OK",
                    "Contact: <sip:far@127.0.0.2:\(far.port);transport=tcp>\r\nContent-Type: application/sdp\r\n",
                    body: ScriptedRegistrar.session))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(far.accept() && far.receive("ACK ") != nil)
            func call(_ name: String, _ sender: StreamRegistrar) -> String {
                "INVITE sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP \(sender.host):\(sender.port);branch=z9hG4bK-\(name)\r\nMax-Forwards: 70\r\n"
                    + "From: <sip:caller@127.0.0.1>;tag=1\r\nTo: <sip:alice@127.0.0.1>\r\nCall-ID: \(name)\r\n"
                    + "CSeq: 1 INVITE\r\nContact: <sip:caller@127.0.0.1:9;transport=tcp>\r\n"
                    + "P-Asserted-Identity: \"\(name)\" <sip:x@127.0.0.1>\r\nContent-Type: application/sdp\r\n"
                    + "Content-Length: \(ScriptedRegistrar.session.utf8.count)\r\n\r\n"
                    + ScriptedRegistrar.session
            }
            far.send(call("Bank", far))
            // A request in the call is answered, and later than the one before.
            let tag = ScriptedRegistrar.tag(of: "From", in: invite)
            far.send(
                "INFO sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.2:\(far.port);branch=z9hG4bK-info\r\nMax-Forwards: 70\r\n"
                    + "From: <sip:far@127.0.0.1>;tag=registrar\r\nTo: <sip:alice@127.0.0.1>;tag=\(tag)\r\n"
                    + "Call-ID: \(ScriptedRegistrar.field("Call-ID", in: invite))\r\nCSeq: 7 INFO\r\n"
                    + "Content-Length: 0\r\n\r\n")
            #expect(far.receive("SIP/2.0 ") != nil)
            registrar.send(call("Ada", registrar))
            #expect(engine.waitForCall()?.caller.displayName == "Ada")
        }

        @Test(arguments: [
            (SIPAccount.Transport.tls, "srtp-mand", "SRTP"), (.udp, "dtls_srtp", "DTLS-SRTP"),
        ])
        func mediaIsEncrypted(_ transport: SIPAccount.Transport, _ option: String, _ encryption: String)
            throws
        {
            let server = try Peers.kamailio()
            let dave = try Baresip(user: "dave", server: server.port, options: ";mediaenc=\(option)")
            defer { dave.end() }
            let engine = try EngineProcess()
            var account = SIPAccount.at(server, encryption: .required)
            if transport == .tls { account = try self.account(with: "good") }
            account.encryption = .required
            #expect(engine.register(account) == .registered)
            engine.send(
                .call(
                    .dialled,
                    .dial(
                        account: "alice",
                        address: transport == .tls ? "sip:dave@localhost" : server.address(of: "dave"))))
            #expect(engine.wait(for: .call(.dialled, .answered)))
            #expect(dave.wait(for: "CALL_RTPESTAB") != nil)
            // The engine learns of the end of the DTLS handshake with its next turn.
            #expect(engine.waitForEncryption(seconds: 5) == encryption)
            engine.send(.call(.dialled, .hangUp))
            #expect(dave.wait(for: "CALL_CLOSED") != nil)
        }

        @Test func offeredEncryptionYieldsToPlainFarEnd() throws {
            let server = try Peers.kamailio()
            let bob = try Peers.bob()
            let engine = try EngineProcess()
            #expect(engine.register(.at(server, encryption: .offered)) == .registered)
            engine.send(.call(.dialled, .dial(account: "alice", address: server.address(of: "bob"))))
            // Creating the certificate for DTLS takes a while.
            #expect(engine.wait(for: .call(.dialled, .answered), seconds: 20))
            engine.send(.call(.dialled, .hangUp))
            #expect(bob.wait(for: "CALL_CLOSED") != nil)
        }

        /// Returns the SHA-256 fingerprint of a certificate, with colons.
        private func fingerprint(of certificate: String) throws -> String {
            try TestCertificates.fingerprint(of: TestCertificates.folder() + "/\(certificate).crt")
        }

        private func hex(of certificate: String) throws -> String {
            try fingerprint(of: certificate).lowercased().filter { $0 != ":" }
        }

        private func account(with certificate: String) throws -> SIPAccount {
            let port = try Peers.kamailio().tlsPorts[certificate] ?? 0
            return SIPAccount(
                id: "alice", address: "sip:alice@localhost", registrar: "sip:localhost:\(port)",
                transport: .tls)
        }
    }
}
