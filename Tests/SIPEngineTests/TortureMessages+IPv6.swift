// SPDX-License-Identifier: GPL-3.0-or-later

extension TortureMessages {
    private static func ipv6(
        _ name: String, _ start: String, _ fields: String, to: String = "sip:user@example.com",
        body: String = ""
    ) -> String {
        let method = start.prefix { $0 != " " }
        return """
            \(start)
            To: \(to)
            From: sip:user@example.com;tag=81x2
            Call-ID: \(name)-SSG9559905523997077@hlau_4100
            Contact: "Caller" <sip:caller@[2001:db8::1]>
            CSeq: 8612 \(method)
            Max-Forwards: 70
            \(fields)
            Content-Length: \(body.utf8.count)

            \(body)
            """
    }

    private static func session(_ media: String) -> String {
        "v=0\r\no=assistant 971731711378798081 0 IN IP6 2001:db8::20\r\ns=Live video feed\r\n" + media
    }

    /// RFC 5118, sections 4.1 to 4.10.
    ///
    /// Some offer only a codec that the phone does not have (488).
    static let ipv6 = [
        Message(
            "ipv6-good", [405],
            ipv6(
                "good", "REGISTER sip:[2001:db8::10] SIP/2.0",
                "Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3")),
        Message(
            "ipv6-bad", [],
            ipv6(
                "bad", "REGISTER sip:2001:db8::10 SIP/2.0",
                "Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3")),
        Message(
            "port-ambiguous", [405],
            ipv6("ambiguous", "REGISTER sip:[2001:db8::10:5070] SIP/2.0", "Subject: x")),
        Message(
            "port-unambiguous", [405],
            ipv6("unambiguous", "REGISTER sip:[2001:db8::10]:5070 SIP/2.0", "Subject: x")),
        Message(
            "via-received-param-with-delim", [481],
            ipv6(
                "with-delim", "BYE sip:[2001:db8::10] SIP/2.0",
                "Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3-111",
                to: "sip:user@example.com;tag=bd76ya")),
        Message(
            "via-received-param-no-delim", [200],
            ipv6(
                "no-delim", "OPTIONS sip:[2001:db8::10] SIP/2.0",
                "Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3")),
        Message(
            "ipv6-in-sdp", [100, 488],
            ipv6(
                "in-sdp", "INVITE sip:user@[2001:db8::10] SIP/2.0", "Content-Type: application/sdp",
                body: session(
                    "c=IN IP6 2001:db8::20\r\nt=3338481189 3370017201\r\nm=audio 6000 RTP/AVP 2\r\n"
                        + "a=rtpmap:2 G726-32/8000\r\nm=video 6024 RTP/AVP 107\r\na=rtpmap:107 H263-1998/90000\r\n"
                ))),
        Message(
            "mult-ip-in-header", [481],
            ipv6(
                "mult", "BYE sip:user@host.example.net SIP/2.0",
                "Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111\n"
                    + "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144\n"
                    + "Via: SIP/2.0/TCP [2001:db8::9:255];branch=z9hG4bK451jj;received=192.0.2.200",
                to: "sip:user@example.com;tag=bd76ya")),
        Message(
            "mult-ip-in-sdp", [100, 180],
            ipv6(
                "mult-sdp", "INVITE sip:user@[2001:db8::10] SIP/2.0", "Content-Type: application/sdp",
                body: "v=0\r\no=bob 280744730 28977631 IN IP4 host.example.com\r\ns=\r\nt=0 0\r\n"
                    + "m=audio 22334 RTP/AVP 0\r\nc=IN IP4 192.0.2.1\r\n"
                    + "m=video 6024 RTP/AVP 107\r\nc=IN IP6 2001:db8::1\r\na=rtpmap:107 H263-1998/90000\r\n")),
        Message(
            "ipv4-mapped-ipv6", [100, 488],
            ipv6(
                "mapped", "INVITE sip:user@example.com SIP/2.0",
                "Via: SIP/2.0/UDP [::ffff:192.0.2.10]:19823;branch=z9hG4bKbh19\n"
                    + "Via: SIP/2.0/UDP [::ffff:192.0.2.2]:5060;branch=z9hG4bKas3-111\n"
                    + "Content-Type: application/sdp",
                body: session(
                    "c=IN IP6 ::ffff:192.0.2.2\r\nt=3338481189 3370017201\r\nm=audio 6000 RTP/AVP 2\r\n"
                        + "a=rtpmap:2 G726-32/8000\r\n"))),
        Message(
            "ipv6-bug-abnf-3-colons", [200],
            ipv6("three", "OPTIONS sip:user@[2001:db8:::192.0.2.1] SIP/2.0", "Subject: x")),
        Message(
            "ipv6-correct-abnf-2-colons", [200],
            ipv6("two", "OPTIONS sip:user@[2001:db8::192.0.2.1] SIP/2.0", "Subject: x")),
    ]
}
