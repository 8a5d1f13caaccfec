// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of what leaves the machine to whom, with listeners at another address.
    @Suite struct Secrets {
        private let server: StreamRegistrar
        private let relay: TLSRelay
        private let stranger: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            server = try StreamRegistrar()
            relay = try TLSRelay(to: server.port)
            stranger = try ScriptedRegistrar(host: "127.0.0.2")
            engine = try EngineProcess()
        }

        /// The address of somebody whom only the stranger's host knows.
        private var elsewhere: String { "sip:x@127.0.0.2:\(stranger.port)" }

        private func register(_ transport: SIPAccount.Transport, _ encryption: SIPAccount.Encryption)
            throws
        {
            let host = transport == .tls ? "localhost:\(relay.port)" : "127.0.0.1:\(server.port)"
            engine.send(
                .setAccount(
                    SIPAccount(
                        id: "alice", address: "sip:alice@example.org", registrar: "sip:\(host)",
                        transport: transport, encryption: encryption), password: "x"))
            #expect(server.acceptRegistration() != nil)
            #expect(engine.waitForRegistration() == .registered)
        }

        /// Returns the next INVITE that the server receives, after checking its keys.
        private func invite(_ transport: SIPAccount.Transport) throws -> String {
            let invite = try #require(server.receive("INVITE "))
            #expect(invite.contains("a=crypto") == (transport == .tls))
            #expect(invite.contains("a=fingerprint") == (transport != .tls))
            #expect(stranger.receive(seconds: 0.2) == nil)
            return invite
        }

        /// Answers an INVITE with SRTP or DTLS-SRTP.
        private func answer(_ invite: String, contact: String) {
            let isSDES = invite.contains("a=crypto")
            server.send(
                ScriptedRegistrar.response(
                    to: invite, "200 OK", "Contact: <\(contact)>\r\nContent-Type: application/sdp\r\n",
                    body: isSDES ? Self.sdes : Self.dtls))
        }

        /// A session that is encrypted with keys in it (RFC 4568).
        static let sdes =
            ScriptedRegistrar.session.replacingOccurrences(of: "RTP/AVP", with: "RTP/SAVP")
            + key
        private static let key =
            "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n"
        /// A session that is encrypted with keys from a handshake (RFC 5764).
        static let dtls =
            ScriptedRegistrar.session.replacingOccurrences(of: "RTP/AVP", with: "UDP/TLS/RTP/SAVP")
            + "a=setup:actpass\r\na=fingerprint:SHA-256 "
            + Array(repeating: "AB", count: 32).joined(separator: ":") + "\r\n"

        @Test(arguments: [SIPAccount.Transport.tls, .tcp], ["", ";transport=udp", ";lr;maddr=127.0.0.2"])
        func callToOtherHostGoesThroughTheServer(transport: SIPAccount.Transport, parameters: String) throws {
            try register(transport, .required)
            engine.send(.call(.dialled, .dial(account: "alice", address: elsewhere + parameters)))
            #expect(try invite(transport).hasPrefix("INVITE \(elsewhere)"))
        }

        @Test(arguments: [SIPAccount.Transport.tls, .tcp])
        func redirectedCallGoesThroughTheServer(transport: SIPAccount.Transport) throws {
            try register(transport, .required)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@example.org")))
            server.send(
                ScriptedRegistrar.response(
                    to: try invite(transport), "302 Moved", "Contact: <\(elsewhere);transport=udp>\r\n"))
            #expect(try invite(transport).hasPrefix("INVITE \(elsewhere)"))
        }

        @Test(arguments: [SIPAccount.Transport.tls, .tcp])
        func requestsOfCallGoThroughTheServer(transport: SIPAccount.Transport) throws {
            try register(transport, .required)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@example.org")))
            let first = try invite(transport)
            // Without a Record-Route, and over UDP.
            answer(first, contact: elsewhere)
            #expect(server.receive("ACK ") != nil)
            #expect(engine.wait(for: .call(.dialled, .answered)))
            // The far end leads the phone elsewhere.
            let tag = ScriptedRegistrar.tag(of: "From", in: first)
            server.send(
                "REFER sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/\(transport.rawValue.uppercased()) 127.0.0.1:\(transport == .tls ? relay.port : server.port);branch=z9hG4bK-r\r\n"
                    + "Max-Forwards: 70\r\nFrom: \(ScriptedRegistrar.field("To", in: first));tag=registrar\r\n"
                    + "To: <sip:alice@example.org>;tag=\(tag)\r\n"
                    + "Call-ID: \(ScriptedRegistrar.field("Call-ID", in: first))\r\nCSeq: 9 REFER\r\n"
                    + "Contact: <\(elsewhere)>\r\nRefer-To: <\(elsewhere)>\r\nContent-Length: 0\r\n\r\n")
            // The phone holds the call first.
            if let hold = server.receive("INVITE ") {
                #expect(!hold.contains("a=crypto") || transport == .tls)
                if ScriptedRegistrar.tag(of: "To", in: hold).isEmpty {
                    #expect(hold.hasPrefix("INVITE \(elsewhere)"))
                } else {
                    answer(hold, contact: elsewhere)
                    #expect(try invite(transport).hasPrefix("INVITE \(elsewhere)"))
                }
            }
            engine.send(.call(.dialled, .hangUp))
            #expect(stranger.receive(seconds: 0.2) == nil)
        }

        /// Text is offered with keys as the sound is, and is never taken without.
        @Test(arguments: [true, false])
        func textIsProtectedAsTheSoundIs(isAnswerProtected: Bool) throws {
            try register(.tls, .required)
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@example.org")))
            answer(try invite(.tls), contact: "sip:far@example.org")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            engine.send(.call(.dialled, .startText))
            let offer = try #require(server.receive("INVITE "))
            let text = offer.components(separatedBy: "m=text ").last ?? ""
            #expect(text.contains(" RTP/SAVP ") && text.contains("a=crypto"), "\(offer)")
            let types = text.split(separator: "\r\n").first?.split(separator: " ").dropFirst(2) ?? []
            var medium = "m=text 40002 RTP/\(isAnswerProtected ? "SAVP" : "AVP") "
            medium += types.joined(separator: " ") + "\r\n"
            for line in text.components(separatedBy: "\r\n") where line.hasPrefix("a=rtpmap:") {
                medium += line + "\r\n"
            }
            if isAnswerProtected { medium += Self.key }
            server.send(
                ScriptedRegistrar.response(
                    to: offer, "200 OK",
                    "Contact: <sip:far@example.org>\r\nContent-Type: application/sdp\r\n",
                    body: Self.sdes + medium))
            #expect(engine.wait(for: .call(.dialled, isAnswerProtected ? .textRuns(true) : .textRefused)))
        }

        @Test func keysAreNeitherSentNorTakenInTheClear() throws {
            let registrar = try ScriptedRegistrar()
            #expect(engine.register(at: registrar, encryption: .required))
            registrar.send(registrar.request("INVITE", callID: "sdes", body: Self.sdes))
            // A busy engine sends 100 before.
            let refusal = registrar.receive { $0.hasPrefix("SIP/2.0 ") && !$0.hasPrefix("SIP/2.0 100") }
            #expect(refusal?.hasPrefix("SIP/2.0 488") == true, "\(refusal ?? "")")
            registrar.send(registrar.request("INVITE", callID: "dtls", body: Self.dtls))
            // The engine computes a certificate for DTLS first, which takes long on a busy machine.
            let call = try #require(engine.waitForCall(seconds: 60))
            engine.send(.call(call.id, .answer))
            let answer = try #require(registrar.receive(seconds: 60) { $0.hasPrefix("SIP/2.0 200") })
            #expect(answer.contains("a=fingerprint") && !answer.contains("a=crypto"), "\(answer)")
        }

        @Test func keysOfPlainOfferInTheClearAreIgnored() throws {
            let registrar = try ScriptedRegistrar()
            #expect(engine.register(at: registrar, encryption: .offered))
            let offer = Self.sdes.replacingOccurrences(of: "SAVP", with: "AVP")
            registrar.send(registrar.request("INVITE", body: offer))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = try #require(registrar.receive { $0.hasPrefix("SIP/2.0 200") })
            #expect(answer.contains(" RTP/AVP ") && !answer.contains("a=crypto"))
        }

        @Test func accountOverTLSTakesBothEncryptions() throws {
            try register(.tls, .required)
            for (session, attribute) in [(Self.sdes, "a=crypto"), (Self.dtls, "a=fingerprint")] {
                server.send(
                    "INVITE sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TLS 127.0.0.1:\(relay.port);branch=z9hG4bK-\(attribute.dropFirst(2))\r\n"
                        + "Max-Forwards: 70\r\nFrom: <sip:far@example.org>;tag=far\r\nTo: <sip:alice@example.org>\r\n"
                        + "Call-ID: \(attribute.dropFirst(2))\r\nCSeq: 1 INVITE\r\nContact: <\(elsewhere)>\r\n"
                        + "Content-Type: application/sdp\r\nContent-Length: \(session.utf8.count)\r\n\r\n\(session)"
                )
                let call = try #require(engine.waitForCall())
                engine.send(.call(call.id, .answer))
                var answer = server.receive("SIP/2.0 200")
                // The first one is sent again, as nobody confirms it.
                while let text = answer, !text.contains("Call-ID: \(attribute.dropFirst(2))") {
                    answer = server.receive("SIP/2.0 200")
                }
                #expect(
                    answer?.components(separatedBy: "Call-ID").last?.contains("\(attribute):") == true,
                    "\(attribute)")
                engine.send(.call(call.id, .hangUp))
            }
        }

        @Test(arguments: [";received=127.0.0.2", ";received=127.0.0.2;rport=9", ";maddr=127.0.0.2"])
        func responsesGoToTheSender(parameters: String) throws {
            let registrar = try ScriptedRegistrar()
            #expect(engine.register(at: registrar, encryption: .off))
            let request = registrar.request("OPTIONS").replacingOccurrences(
                of: "127.0.0.1:\(registrar.port);branch",
                with: "127.0.0.1:\(registrar.port)\(parameters);branch")
            registrar.send(request)
            #expect(stranger.receive(seconds: 0.2) == nil)
        }

        @Test func responseToEncryptedRequestDoesNotLeaveInTheClear() throws {
            try register(.tls, .required)
            server.send(
                "INVITE sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.2:\(stranger.port);branch=z9hG4bK-u\r\n"
                    + "Max-Forwards: 70\r\nFrom: <sip:far@example.org>;tag=far\r\nTo: <sip:alice@example.org>\r\n"
                    + "Call-ID: u\r\nCSeq: 1 INVITE\r\nContact: <\(elsewhere)>\r\n"
                    + "Content-Type: application/sdp\r\nContent-Length: \(Self.sdes.utf8.count)\r\n\r\n\(Self.sdes)"
            )
            #expect(engine.waitForCall(seconds: 0.5) == nil)
            #expect(stranger.receive(seconds: 0.2) == nil)
        }

        @Test func transferOfPlainAccountTakesNoEncryptionOfAnother() throws {
            try register(.tls, .required)
            let registrar = try ScriptedRegistrar()
            #expect(engine.register(as: "plain", at: registrar, encryption: .off))
            registrar.send(registrar.request("INVITE", callID: "call", body: ScriptedRegistrar.session))
            let call = try #require(engine.waitForCall())
            engine.send(.call(call.id, .answer))
            let answer = try #require(registrar.receive { $0.hasPrefix("SIP/2.0 200") })
            let tag = ";tag=" + ScriptedRegistrar.tag(of: "To", in: answer)
            registrar.send(registrar.request("ACK", callID: "call", toTag: tag))
            #expect(engine.wait(for: .call(call.id, .answered)))
            registrar.send(
                registrar.request(
                    "REFER", callID: "call", sequence: 2, fields: "Refer-To: <sip:x@example.org>\r\n",
                    toTag: tag))
            // The domain is that of the other account.
            while let request = registrar.receive(where: { $0.hasPrefix("INVITE ") }) {
                if ScriptedRegistrar.tag(of: "To", in: request).isEmpty {
                    #expect(request.hasPrefix("INVITE sip:x@example.org"))
                    #expect(ScriptedRegistrar.field("From", in: request).contains("sip:alice@127.0.0.1"))
                    #expect(!request.contains("a=crypto") && !request.contains("a=fingerprint"))
                    return
                }
                registrar.answer(request)
            }
            Issue.record("the call was not transferred")
        }
    }
}
