// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// Messages that break the rules of SIP, most of them after the torture tests of RFC 4475.
enum MalformedMessages {
    /// Returns the messages, with what is wrong with each.
    static func all(from registrar: ScriptedRegistrar) -> [(fault: String, bytes: [UInt8])] {
        texts(registrar).map { ($0.0, Array($0.1.utf8)) } + binary(registrar)
    }

    private static func texts(_ registrar: ScriptedRegistrar) -> [(String, String)] {
        let invite = registrar.request("INVITE", body: ScriptedRegistrar.session)
        let options = registrar.request("OPTIONS")
        let replacements: [(String, String, String)] = [
            ("unknown version", "SIP/2.0", "SIP/7.0"), ("no version", " SIP/2.0", ""),
            ("two spaces", " SIP/2.0", "  SIP/2.0"), ("angle brackets", "sip:alice", "<sip:alice"),
            ("unknown scheme", "sip:alice", "nobodyKnowsThisScheme:alice"), ("empty host", "@127.0.0.1", "@"),
            ("port out of range", "@127.0.0.1:", "@127.0.0.1:999999"),
            ("escaped zero", "sip:alice", "sip:%00alice"), ("bad escape", "sip:alice", "sip:%G0alice"),
            ("no Via", "Via: ", "X-Via: "), ("bad Via", "SIP/2.0/UDP 127", "SIP/2.0/UDP ;;,,127"),
            ("empty branch", "branch=z9hG4bK", "branch=;x="), ("no From", "From: ", "X-From: "),
            ("unclosed quote in From", "\"Caller\"", "\"Caller"),
            ("unclosed bracket", "<sip:caller@127.0.0.1>", "<sip:"),
            ("no To", "To: ", "X-To: "), ("bad To", "To: <sip:alice@127.0.0.1>", "To: \"\"\"\" <>;tag"),
            ("no Call-ID", "Call-ID: ", "X-Call-ID: "), ("empty Call-ID", "Call-ID: ", "Call-ID: \r\nX: "),
            ("no CSeq", "CSeq: ", "X-CSeq: "),
            ("sequence out of range", "CSeq: 1 ", "CSeq: 36893488147419103232 "),
            ("negative sequence", "CSeq: 1 ", "CSeq: -1 "),
            ("other method in CSeq", "CSeq: 1 ", "CSeq: 1 NOT"),
            ("no Contact", "Contact: ", "X-Contact: "), ("bad Contact", "Contact: <", "Contact: <<<>"),
            ("chat room", ">\r\nMax-Forwards", ">;text\r\nMax-Forwards"),
            ("no Max-Forwards", "Max-Forwards: 70", "X: 70"),
            ("hops out of range", "70\r\n", "99999999999999999\r\n"),
            ("length too large", "Content-Length: ", "Content-Length: 9"),
            ("negative length", "Content-Length: ", "Content-Length: -"),
            ("length is no number", "Content-Length: ", "Content-Length: x"),
            ("two lengths", "Content-Length: ", "Content-Length: 3\r\nContent-Length: "),
            ("no empty line", "\r\n\r\n", "\r\n"), ("bare line feeds", "\r\n", "\n"),
            ("bare returns", "\r\n", "\r"),
            ("no session version", "v=0", "v=99999999999999999999"), ("no origin", "o=-", "x=-"),
            ("no connection", "c=IN", "x=IN"), ("bad address", "IP4 127.0.0.1\r\nt", "IP4 999.1.1.1.1\r\nt"),
            ("media port out of range", "40000", "4000000000000"),
            ("no payload types", "RTP/AVP 8 101", "RTP/AVP"),
            ("payload type out of range", "8 101", "99999 -5"), ("bad rtpmap", "PCMA/8000", "////"),
            ("rate out of range", "PCMA/8000", "PCMA/0"), ("unknown profile", "RTP/AVP", "XXX/YYY/ZZZ"),
            ("unknown media", "m=audio", "m=nothing"), ("no media", "m=audio", "x=audio"),
            ("bad key", "a=rtpmap:8", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA\r\na=rtpmap:8"),
            ("bad candidate", "a=rtpmap:8", "a=candidate:x x x x x x\r\na=ice-ufrag:\r\na=rtpmap:8"),
        ]
        var messages = replacements.map {
            (
                $0.0,
                invite.replacingOccurrences(of: $0.1, with: $0.2).replacingOccurrences(
                    of: "Call-ID: ", with: "Call-ID: \(UUID().uuidString)")
            )
        }
        let long = String(repeating: "a", count: 20_000)
        messages += [
            ("only a line", "INVITE\r\n\r\n"), ("empty", "\r\n\r\n"),
            ("no SIP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            (
                "unknown method",
                options.replacingOccurrences(
                    of: "OPTIONS", with: "!interesting-Method0123456789_*+`.%indeed'~")
            ),
            (
                "long name",
                registrar.request("INVITE", body: ScriptedRegistrar.session, from: "\"\(long)\" <sip:a@b>")
            ),
            (
                "long user",
                registrar.request("INVITE", body: ScriptedRegistrar.session, from: "<sip:\(long)@b>")
            ),
            ("long field", registrar.request("OPTIONS", fields: "X-Long: \(long)\r\n")),
            (
                "many fields",
                registrar.request("OPTIONS", fields: String(repeating: "Subject: x\r\n", count: 2_000))
            ),
            (
                "many routes",
                registrar.request(
                    "INVITE", fields: String(repeating: "Record-Route: <sip:a;lr>\r\n", count: 300))
            ),
            ("unknown extension", registrar.request("INVITE", fields: "Require: nothing, 100rel\r\n")),
            ("bad Replaces", registrar.request("INVITE", fields: "Replaces: x;to-tag=;from-tag\r\n")),
            ("bad Reason", registrar.request("BYE", fields: "Reason: ;;;cause=x\r\n")),
            (
                "bad identity",
                registrar.request(
                    "INVITE", fields: "P-Asserted-Identity: <<>,,\r\n", body: ScriptedRegistrar.session)
            ),
            (
                "bad Session-Expires",
                registrar.request(
                    "INVITE", fields: "Session-Expires: -5;refresher=x\r\n", body: ScriptedRegistrar.session)
            ),
            ("REFER outside a call", registrar.request("REFER", fields: "Refer-To: <sip:x@127.0.0.1>\r\n")),
            ("NOTIFY without a subscription", registrar.request("NOTIFY", fields: "Event: refer\r\n")),
            (
                "text message",
                registrar.request("MESSAGE", fields: "Content-Type: text/plain\r\n", body: "Hello")
            ),
            ("subscription", registrar.request("SUBSCRIBE", fields: "Event: presence\r\nExpires: 60\r\n")),
            ("response to nothing", "SIP/2.0 200 OK\r\n\r\n"),
            ("status out of range", "SIP/2.0 4294967301 better not break\r\nVia: SIP/2.0/UDP x\r\n\r\n"),
            ("negative status", "SIP/2.0 -5 x\r\n\r\n"),
        ]
        return messages
    }

    private static func binary(_ registrar: ScriptedRegistrar) -> [(fault: String, bytes: [UInt8])] {
        let invite = Array(registrar.request("INVITE", body: ScriptedRegistrar.session).utf8)
        return [
            ("zeros", [UInt8](repeating: 0, count: 500)),
            ("not UTF-8", Array(invite.prefix(200)) + [0xff, 0xfe, 0xc3] + invite.dropFirst(200)),
            ("zero in the middle", Array(invite.prefix(120)) + [0] + invite.dropFirst(120)),
            ("cut off", Array(invite.prefix(invite.count / 2))),
            ("largest datagram", Array(invite + [UInt8](repeating: 0x41, count: 60_000))),
        ]
    }
}
