// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Glibc
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of the handshake of DTLS-SRTP (RFC 5764) with GnuTLS's own programs as the far end, whose certificates have no
    /// names.
    @Suite struct Handshake {
        private let far: ScriptedRegistrar
        private let engine: EngineProcess

        init() throws {
            try Peer.require("gnutls-serv", package: "gnutls-bin")
            far = try ScriptedRegistrar()
            engine = try EngineProcess()
            #expect(engine.register(at: far, encryption: .required))
        }

        @Test func farEndIsServer() throws {
            let certificate = try FarCertificate()
            let port = freePorts(1)[0]
            let server = try serve(port, certificate, ["--require-client-cert"])
            // The server hangs at what is no DTLS.
            let relay = try LossyRelay(to: port, loss: 0, losesAllButDTLS: true)
            defer {
                relay.end()
                server.end()
            }
            try call(port: relay.port, certificate, setup: "passive")
            expectEncryption()
        }

        /// Also if datagrams are lost, and if a message comes in several of them.
        @Test(arguments: [(0, 1_200), (0, 300), (20, 300)])
        func farEndIsClient(loss: Int, datagram: Int) throws {
            let certificate = try FarCertificate()
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            let relay = try LossyRelay(to: mediaPort(of: invite), loss: loss, losesAllButDTLS: true)
            defer { relay.end() }
            answer(invite, port: relay.farPort, certificate.fingerprint, setup: "active")
            #expect(engine.wait(for: .call(.dialled, .answered)))
            let client = try Child(
                [
                    "gnutls-cli", "--udp", "--insecure", "--mtu", "\(datagram)", "--port", "\(relay.port)",
                    "127.0.0.1",
                ] + certificate.options)
            defer { client.end() }
            expectEncryption()
        }

        @Test func otherCertificateEndsTheCall() throws {
            let (certificate, other) = (try FarCertificate(), try FarCertificate())
            let port = freePorts(1)[0]
            let server = try serve(port, certificate)
            // The server hangs at what is no DTLS.
            let relay = try LossyRelay(to: port, loss: 0, losesAllButDTLS: true)
            defer {
                relay.end()
                server.end()
            }
            try call(port: relay.port, other, setup: "passive")
            #expect(engine.waitForEnd(of: .dialled) == SIPEnd(.phone, isUnprotected: true))
        }

        /// Dials, and answers as a far end.
        private func call(port: UInt16, _ certificate: FarCertificate, setup: String) throws {
            engine.send(.call(.dialled, .dial(account: "alice", address: "sip:far@127.0.0.1")))
            let invite = try #require(far.receive { $0.hasPrefix("INVITE ") })
            answer(invite, port: port, certificate.fingerprint, setup: setup)
            #expect(engine.wait(for: .call(.dialled, .answered)))
        }

        private func answer(_ invite: String, port: UInt16, _ fingerprint: String, setup: String) {
            let session = ScriptedRegistrar.session(port: port)
                .replacingOccurrences(of: "RTP/AVP", with: profile(of: invite))
            far.answer(
                invite,
                session: session
                    + "a=rtcp-mux\r\na=setup:\(setup)\r\na=fingerprint:sha-256 \(fingerprint)\r\n")
        }

        private func profile(of invite: String) -> String {
            invite.contains("UDP/TLS/RTP/SAVPF") ? "UDP/TLS/RTP/SAVPF" : "UDP/TLS/RTP/SAVP"
        }

        private func mediaPort(of invite: String) throws -> UInt16 {
            let line = try #require(
                invite.components(separatedBy: "\r\n").first { $0.hasPrefix("m=audio ") })
            return try #require(UInt16(line.split(separator: " ")[1]))
        }
        private func expectEncryption() {
            #expect(engine.waitForEncryption(seconds: 15) == "DTLS-SRTP")
        }

        /// Starts a server, and waits until it listens.
        private func serve(_ port: UInt16, _ certificate: FarCertificate, _ options: [String] = []) throws
            -> Child
        {
            let server = try Child(
                [
                    "sh", "-c", "exec stdbuf -oL \"$@\" 2>&1", "sh", "gnutls-serv", "--udp", "--port",
                    "\(port)",
                ]
                    + options + certificate.options)
            #expect(hasLine("listening", of: server))
            return server
        }

        private func hasLine(_ text: String, of child: Child) -> Bool {
            while waitForInput(child.output.fileDescriptor, until: Date(timeIntervalSinceNow: 10)),
                let line = child.readLine()
            {
                if line.contains(text) { return true }
            }
            return false
        }
    }
}

/// A certificate without any name, as Dino makes them.
private struct FarCertificate {
    let fingerprint: String
    private let folder: String

    init() throws {
        folder = try TemporaryFolders.make("touchtone-far-certificate")
        _ = try output(of: [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-subj", "/", "-days", "1", "-keyout", "\(folder)/key", "-out", "\(folder)/certificate",
        ])
        fingerprint = try TestCertificates.fingerprint(of: "\(folder)/certificate")
    }

    /// The options of GnuTLS's programs.
    var options: [String] {
        [
            "--x509certfile", "\(folder)/certificate", "--x509keyfile", "\(folder)/key",
            "--srtp-profiles", "SRTP_AES128_CM_HMAC_SHA1_80",
        ]
    }
}
