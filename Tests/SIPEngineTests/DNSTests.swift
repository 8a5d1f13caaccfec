// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SIPMessages
import TestSupport
import Testing

extension SIPEngineTests {
    /// Tests of how a server is found by its domain (RFC 3263), in a network with a name server of its own.
    @Suite struct DNS {
        private static let isolated = ["unshare", "--map-root-user", "--net", "--mount"]
        private static let hasNamespaces = (try? output(of: isolated + ["true"])) != nil

        /// Registers an account of the domain example.test, without a registrar.
        private func register(_ transport: SIPAccount.Transport, _ records: String...) throws
            -> SIPRegistration?
        {
            let tool = "\(Checkout.folder)/Tests/Tools/dns_network.py"
            let engine = try EngineProcess(prefix: Self.isolated + [tool, records.joined(separator: ";")])
            let account = SIPAccount(id: "alice", address: "sip:alice@example.test", transport: transport)
            return engine.register(account, seconds: 60)
        }

        @Test(.enabled(if: Self.hasNamespaces, "network namespaces are not allowed"))
        func serverIsFoundBySRV() throws {
            let state = try register(
                .udp, "_sip._udp.example.test SRV 5070 sip.example.test", "sip.example.test A 127.0.0.1")
            #expect(state == .registered)
        }

        @Test(.enabled(if: Self.hasNamespaces, "network namespaces are not allowed"))
        func serverIsFoundByNAPTR() throws {
            let state = try register(
                .udp, "example.test NAPTR 1 s SIPS+D2T _sips._tcp.elsewhere.test",
                "example.test NAPTR 3 s SIP+D2U _sip._udp.elsewhere.test",
                "example.test NAPTR 2 s SIP+D2U _sip._udp.provider.test",
                "example.test NAPTR 1 u SIP+D2U _sip._udp.elsewhere.test",
                "example.test NAPTR 1 s SIP+D2U _http._tcp.elsewhere.test",
                "_sip._udp.provider.test SRV 5070 sip.provider.test", "sip.provider.test A 127.0.0.1")
            #expect(state == .registered)
        }

        @Test(.enabled(if: Self.hasNamespaces, "network namespaces are not allowed"))
        func recordsForOtherTransportsDoNotTurnOffEncryption() throws {
            let state = try register(
                .tls, "example.test NAPTR 1 s SIP+D2U _sip._udp.provider.test",
                "_sip._udp.provider.test SRV 5070 sip.provider.test", "sip.provider.test A 127.0.0.1")
            #expect(state == .failed(.noNetwork), "the network has nothing but the loopback interface")
        }
    }
}
