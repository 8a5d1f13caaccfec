// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneXMPP

@Suite struct ValueTests {
    /// Old servers and gateways delay messages so, in UTC (XEP-0091).
    @Test func legacyDelayIsRead() throws {
        func stamp(_ inside: String) throws -> Timestamp? {
            Delay.stamp(in: try XMLElementTests.read("<message>\(inside)</message>").children)
        }
        let legacy = "<x xmlns='jabber:x:delay' from='localhost' stamp='20020910T23:08:25'/>"
        #expect(try stamp(legacy) == Timestamp("2002-09-10T23:08:25Z"))
        let modern = "<delay xmlns='urn:xmpp:delay' stamp='2026-01-01T00:00:00Z'/>"
        #expect(try stamp(legacy + modern) == Timestamp("2026-01-01T00:00:00Z"))
        for wrong in [
            "", "2002", "20021310T23:08:25", "20020910T23:08:2é", String(repeating: "2", count: 5000),
        ] {
            #expect(try stamp("<x xmlns='jabber:x:delay' stamp='\(wrong)'/>") == nil)
        }
    }

    /// The tests run in English.
    @Test(arguments: [
        ("<body xml:lang='de'>Hallo</body><body xml:lang='en-GB'>Hello</body>", "Hello"),
        ("<body xml:lang='EN'>Hello</body><body>Hallo</body>", "Hello"),
        ("<body xml:lang='de'>Hallo</body><body>Salut</body>", "Salut"),
        ("<body xml:lang='de'>Hallo</body><body xml:lang='fr'>Salut</body>", "Hallo"),
        ("<body xml:lang='english'>Hallo</body><body>Hello</body>", "Hello"),
        ("<body xml:lang=''>Hello</body><body xml:lang='de'>Hallo</body>", "Hello"),
        ("<body xml:lang='de'>Hallo</body>", "Hallo"),
    ])
    func textIsInLanguageOfUser(_ bodies: String, _ expected: String) throws {
        let message = Message(
            try XMLElementTests.read("<message xmlns='jabber:client'>\(bodies)</message>"),
            languages: ["en_US", "en", "C"])
        #expect(message?.body == expected)
    }

    /// The two examples of XEP-0115, sections 5.2 and 5.3.
    @Test func capabilitiesHashMatchesStandard() throws {
        let simple = DiscoInfo(
            identities: [.init(category: "client", type: "pc", name: "Exodus 0.9.1")],
            features: [
                "http://jabber.org/protocol/caps", "http://jabber.org/protocol/disco#info",
                "http://jabber.org/protocol/disco#items", "http://jabber.org/protocol/muc",
            ])
        #expect(Capabilities.hash(of: simple) == "QgayPKawpkPSDYmwT/WM94uAlu0=")
        let complex = try XMLElementTests.read(
            """
            <query xmlns='http://jabber.org/protocol/disco#info'>
            <identity xml:lang='en' category='client' name='Psi 0.11' type='pc'/>
            <identity xml:lang='el' category='client' name='Ψ 0.11' type='pc'/>
            <feature var='http://jabber.org/protocol/caps'/><feature var='http://jabber.org/protocol/disco#info'/>
            <feature var='http://jabber.org/protocol/disco#items'/><feature var='http://jabber.org/protocol/muc'/>
            <x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>
            <value>urn:xmpp:dataforms:softwareinfo</value></field><field var='ip_version' type='text-multi' >
            <value>ipv4</value><value>ipv6</value></field><field var='os'><value>Mac</value></field>
            <field var='os_version'><value>10.5.1</value></field><field var='software'><value>Psi</value></field>
            <field var='software_version'><value>0.11</value></field></x></query>
            """)
        #expect(Capabilities.hash(of: try #require(DiscoInfo(complex))) == "q07IKJEyjvHSyhy//CH0CxmKi8w=")
    }

    @Test func timestampsAreReadAndWritten() throws {
        let stamp = try #require(Timestamp("1969-07-21T02:56:15.123Z"))
        #expect(stamp.microseconds == -14_159_024_877_000)
        #expect(stamp.description == "1969-07-21T02:56:15.123000Z")
        #expect(Timestamp("1969-07-20T21:56:15-05:00") == Timestamp("1969-07-21T02:56:15Z"))
        #expect(Timestamp(microseconds: 0).description == "1970-01-01T00:00:00.000000Z")
        for text in ["", "T", "1969-07-21", "now", "1969-13-21T02:56:15Z", "1969-07-21T02:56:15Z\u{0}"] {
            #expect(Timestamp(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        "<presence type='x'/>", "<presence from='@'/>", "<iq type='get' id='1'/>",
        "<iq type='get' id=''><a xmlns='b'/></iq>",
        "<iq type='get' id='1'><a xmlns='b'/><c xmlns='d'/></iq>", "<message from='a@'/>",
        "<iq id='1'><a xmlns='b'/></iq>",
        "<x/>",
    ])
    func invalidStanzaIsDropped(_ text: String) throws {
        let own = try #require(JID("grace@localhost/phone"))
        guard case .dropped = InboundStanza(try XMLElementTests.read(text), own: own) else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func unknownQueriesAreRefused() throws {
        let own = try #require(JID("grace@localhost/phone"))
        let request = try XMLElementTests.read(
            "<iq type='get' id='7' from='alan@localhost/x'><a xmlns='urn:x'/></iq>")
        guard case .answered(let answer) = InboundStanza(request, own: own) else {
            Issue.record("it was not answered")
            return
        }
        #expect(answer.kind == .error)
        #expect(answer.id == "7")
        #expect(answer.to == JID("alan@localhost/x"))
        #expect(answer.error?.condition == "service-unavailable")
    }
}
