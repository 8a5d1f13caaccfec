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
            let path = try TestCertificates.folder() + "/\(name).crt"
            let fingerprint = try output(of: [
                "openssl", "x509", "-in", path, "-noout", "-fingerprint", "-sha256",
            ]).split(separator: "=").last.map { String($0).trimmingCharacters(in: .whitespacesAndNewlines) }
            let fault = SIPCertificateFault(checks, fingerprint: try #require(fingerprint))
            #expect(try engine.register(account(with: name)) == .failed(.certificate(fault)))
        }

        @Test func certificateOfUnknownAuthorityIsRefused() throws {
            let engine = try EngineProcess(environment: ["SSL_CERT_FILE": ""])
            guard case .failed(.certificate(let fault)) = try engine.register(account(with: "good")) else {
                Issue.record("no fault of the certificate was reported")
                return
            }
            #expect(fault.checks == [.notTrusted])
        }

        private func account(with certificate: String) throws -> SIPAccount {
            let port = try Peers.kamailio().tlsPorts[certificate] ?? 0
            return SIPAccount(
                id: "alice", address: "sip:alice@localhost", registrar: "sip:localhost:\(port)",
                transport: .tls)
        }
    }
}
