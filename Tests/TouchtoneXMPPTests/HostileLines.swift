// SPDX-License-Identifier: GPL-3.0-or-later

/// Script lines with which a server sends data that no other server would relay.
enum HostileLines {
    /// Stanzas that leave the stream intact.
    static let harmless: [String] =
        addresses.flatMap { address in
            [
                "send <message from='\(address)' type='chat'><body>forged</body></message>",
                "send <message to='\(address)' type='chat'><body>forged</body></message>",
                "send <presence from='\(address)'/>",
                "send <iq type='get' id='1' from='\(address)'><x xmlns='urn:x'/></iq>",
                "send <iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='\(address)'/></query></iq>",
                "send <iq type='set' id='1'><block xmlns='urn:xmpp:blocking'><item jid='\(address)'/></block></iq>",
                "send <message><received xmlns='urn:xmpp:carbons:2'>\(forwarded(address))</received></message>",
                "send <message><result xmlns='urn:xmpp:mam:2' queryid='x' id='1'>\(forwarded(address))</result></message>",
            ]
        }
        + [
            "", "id='1'", "type='get'", "type='bogus' id='1'", "type='get' id=''",
            "type='result' id='1' xml:lang=''",
        ].map { "send <iq \($0)/>" }
        + [
            "<query xmlns='jabber:iq:roster'/>",
            "<query xmlns='jabber:iq:roster'><item jid='a@b'/><item jid='c@d'/></query>",
            "<query xmlns='jabber:iq:roster'><item jid='a@b' subscription='bogus' ask='x'/></query>",
            "<query xmlns='jabber:iq:roster'><item/></query>", "<block xmlns='urn:xmpp:blocking'/>",
            "<a xmlns='urn:x'/><b xmlns='urn:x'/>",
        ].map { "send <iq type='set' id='1'>\($0)</iq>" }
        + [
            "r", "r h='-1' x='y'", "enabled id='other' resume='true'", "failed",
            "resumed previd='previous' h='7'",
            "resume", "enable", "bogus",
        ].map { "send <\($0) xmlns='urn:xmpp:sm:3'/>" }
        + [
            "send <stream:features><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></stream:features>",
            "send <proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
            "send <success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>",
            "send <failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>",
            "send <message xmlns=''/>", "send <stream:stream/>", "send <bogus/>",
            "send <x:y xmlns:x='urn:&#10;&#13;&#9;' x:z='&gt;'/>",
            "send <message from='alan@localhost'><x:y xmlns:x='urn:&#10;'/><x xmlns:x='urn:x' xmlns=''/></message>",
            "send <c:message xmlns:c='jabber:client'><c:body>x</c:body></c:message>".replacing(
                "send <", with: "send \\n<"),
            "send <message xml:lang='&#x10FFFF;'><body><![CDATA[<a b='>]]><![CDATA[]]>&#x1F600;</body></message>",
            "wide 90000 <x/>%\\n%<x/>", "send \\n\\n",
        ]
        // Wide stanzas are simpler to generate here than to send through another server.
        + [
            ("<message from='alan@localhost' ", "a='1' ", "/>"), ("<message><a ", "a='1' ", "/></message>"),
            ("<message><a ", "xmlns:a='1' ", "/></message>"), ("<message a='", "&amp;", "'/>"),
            ("<message><a", "a", "/></message>"), ("<message><a>", "<![CDATA[x]]>", "</a></message>"),
            ("<message><a>", "&#65;", "</a></message>"), ("<message><a>", "<b><c></c></b>", "</a></message>"),
            ("<message><body>", "]]", "</body></message>"),
            ("<presence><status>", "\\n", "</status></presence>"),
            ("<iq type='result' id='1'><a>", "<b c='d'/>", "</a></iq>"),
            ("<message><a b='", "x", "'/></message>"),
        ].map { start, middle, end in "wide \(90_000 / middle.count) \(start)%\(middle)%\(end)" }
        + [
            "wide 120000 <message><a>%<b/>%</a></message>",
            "wide 5000000 <message><body>%x%</body></message>",
            "wide 500000 <message a='%x%'/>", "wide 500000 <message><%x%/></message>",
        ]

    /// Data after which no stream can continue.
    static let broken: [String] =
        [
            "<a></b>", "<a b='1' b='2'/>", "<x:a/>", "<a x:b='1'/>", "<a xmlns:p=''/>",
            "<a xmlns:xml='urn:x'/>",
            "<a xmlns:xmlns='urn:x'/>", "<a xmlns='http://www.w3.org/2000/xmlns/'/>", "<a>&lol;</a>",
            "<a>&#0;</a>",
            "<a>&#xD800;</a>", "<a>]]></a>", "<a b='<'/>", "<a b=c/>", "<!-- x -->", "<a><!-- x --></a>",
            "<?x y?>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]>", "<![CDATA[x]]>", "text", "< a/>", "<1/>", "</a>",
        ].map { "send \($0)" }
        + ["3c613eff3c2f613e", "3c613ec0803c2f613e", "3c613eeda0803c2f613e", "3c613e003c2f613e", "00", "ff"]
        .map {
            "hex \($0)"
        }
        + ["7", "-1", "x", "", "4294967295", "4294967296", "99999999999999999999"].map {
            "send <a xmlns='urn:xmpp:sm:3' h='\($0)'/>"
        }
        + [
            "send <a xmlns='urn:xmpp:sm:3'/>"
        ]

    private static let addresses = [
        "", "@", "a@", "@b", "a@@b", " ", "a b@c", "a@[::1", "a@b..c", "a@&#x202E;", "a@b/&#x1FFFE;",
        String(repeating: "x", count: 2000) + "@b",
    ]

    private static func forwarded(_ address: String) -> String {
        """
        <forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='never'/>\
        <message xmlns='jabber:client' from='\(address)'><body>forged</body></message></forwarded>
        """
    }
}
