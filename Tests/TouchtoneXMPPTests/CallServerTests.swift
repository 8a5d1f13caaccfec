// SPDX-License-Identifier: GPL-3.0-or-later

import SIPMessages
import Testing

@testable import TouchtoneXMPP

@Suite struct CallServerTests {
    @Test func serversAreReadStrictly() throws {
        let element = try XMLElementTests.read(
            """
            <services xmlns='urn:xmpp:extdisco:2'>\
            <service type='stun' host='stun.example.org' port='3479' transport='udp'/>\
            <service type='turn' host='192.0.2.7' transport='udp' username='u' password='p' expires='2026-11-29T10:00:00Z'/>\
            <service type='turn' host='other.example.org' username='a b' password='p'/>\
            <service type='turn' host='tcp.example.org' transport='tcp'/>\
            <service type='turns' host='tls.example.org'/>\
            <service type='stun' host='bad host'/>\
            <service type='stun' host='zero.example.org' port='0'/>\
            <service type='stun' host='huge.example.org' port='70000'/></services>
            """)
        let (servers, expiry) = ExternalServices.servers(in: element)
        #expect(
            servers == [
                MediaServer(host: "stun.example.org", port: 3479),
                MediaServer(host: "192.0.2.7", isRelay: true, user: "u", password: "p"),
            ])
        #expect(expiry == Timestamp("2026-11-29T10:00:00Z"))
    }

    @Test func manyServersAreBounded() throws {
        let one = "<service type='stun' host='stun.example.org'/>"
        let element = try XMLElementTests.read(
            "<services xmlns='urn:xmpp:extdisco:2'>\(String(repeating: one, count: 500))</services>")
        #expect(
            ExternalServices.servers(in: element).servers.count == ExternalServices.maximumServers)
    }
}
