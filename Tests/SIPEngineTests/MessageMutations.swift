// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport

/// Changes of SIP messages and of the sessions in them, each reproducible by its generator.
struct MessageMutations {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &random) }

    mutating func any<Element>(_ list: [Element]) -> Element { list[number(below: list.count)] }

    /// Values that belong nowhere.
    static let values = [
        ";", ",", ",,", "<>", "<", ">", "\"", "\"\\", "sip:", "<sip:@>", "<sip:x@127.0.0.1>", "<tel:+1>", "*",
        "%00",
        "%", "-1", "0", "1", "4294967296", "99999999999999999999", "a", "a/b", "a;b", "a;b=", "a;=b",
        ";;tag=", "a=b",
        "INVITE", "1 INVITE", "0 ACK", "Digest", "Digest realm=", "Digest realm=\"a\"", "Basic realm=\"a\"",
        "\u{fc}",
        "refer", "refer;id=", "active;expires=", "terminated", "SIP/2.0/UDP", "SIP/2.0/UDP ;branch=",
        "SIP/2.0/XXX a",
        "text/plain", "multipart/mixed", "multipart/mixed;boundary=\"", "message/sipfrag", "application/sdp",
        "gzip", "[::1", "sip:[::1]", "<sip:x@[::1]:5>", "http://a/b", "data:", "90;refresher=uac",
        "x;to-tag=a;from-tag=b",
        "100rel", "replaces", "timer", "early-only", "id", "none", "Mon, 99 Foo 0000 99:99:99 GMT",
    ]

    /// Returns a spoilt message.
    mutating func spoil(_ message: String) -> String {
        let parts = message.components(separatedBy: "\r\n\r\n")
        var lines = parts[0].components(separatedBy: "\r\n")
        var body = parts.dropFirst().joined(separator: "\r\n\r\n")
        for _ in 0...number(below: 3) {
            if !body.isEmpty, number(below: 3) == 0 {
                var rows = body.components(separatedBy: "\r\n")
                spoilLine(&rows, from: 0, separator: "=")
                body = rows.joined(separator: "\r\n")
            } else {
                spoilLine(&lines, from: number(below: 12) == 0 ? 0 : 1, separator: ":")
            }
        }
        if number(below: 20) != 0 {
            lines = lines.map {
                $0.hasPrefix("Content-Length:") ? "Content-Length: \(body.utf8.count)" : $0
            }
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private mutating func spoilLine(_ lines: inout [String], from first: Int, separator: Character) {
        guard lines.count > first else { return }
        let index = first + number(below: lines.count - first)
        let line = lines[index]
        let end = line.firstIndex(of: separator) ?? line.endIndex
        let name = line[..<end] + String(separator)
        switch number(below: 10) {
        case 0: lines[index] = name + any(["", " ", "\t", "\r\n "])
        case 1: lines.insert(line, at: index)
        case 2:
            lines[index] =
                line
                + String(
                    repeating: any(["a", ";a=b", ",", "\"", "<", "%41", " "]),
                    count: any([10, 300, 690, 2_000, 6_000]))
        case 3, 4: lines[index] = name + " " + any(Self.values)
        case 5: lines.remove(at: index)
        case 6:
            let other = lines[number(below: lines.count)]
            lines[index] = name + String(other.split(separator: separator, maxSplits: 1).last ?? "")
        case 7:
            var characters = Array(line)
            guard !characters.isEmpty else { return }
            let place = number(below: characters.count)
            if number(below: 2) == 0 {
                characters[place] = any([
                    " ", "\0", "\"", ";", "<", ">", ",", ":", "@", "%", "\u{7f}", "\u{e4}", "9", "=",
                ])
            } else {
                characters.removeSubrange(place..<min(characters.count, place + 1 + number(below: 8)))
            }
            lines[index] = String(characters)
        case 8 where separator == ":":
            lines.insert("\(any(SIPEngineTests.EmptyFields.fields)): \(any(Self.values))", at: index)
        case 8: lines.insert(any(Self.rows), at: index)
        default: lines.insert(any(lines), at: min(lines.count, 1))
        }
    }

    /// Lines of sessions.
    static let rows = [
        "m=video 5000 RTP/AVP 96", "m=video 0 RTP/AVP 96", "m=audio 5000 RTP/AVP 0", "m=audio 0 RTP/AVP 0",
        "m=application 5000 UDP/BFCP *", "m=image 5000 udptl t38", "m=message 5000 TCP/MSRP *",
        "m=text 5000 RTP/AVP 98", "m=text 0 RTP/AVP 98", "m=text 5000 RTP/AVP 100 98 200 -1",
        "m=text 5000 RTP/SAVP 98",
        "a=rtpmap:98 t140/1000", "a=rtpmap:98 t140/0", "a=rtpmap:98 red/1000",
        "a=fmtp:100 98/98/98/98/98/98/98",
        "a=fmtp:98 cps=-1", "a=fmtp:100 100/100",
        "m=audio 5000 RTP/SAVPF 0 8", "m=audio 5000 UDP/TLS/RTP/SAVPF 8", "m=audio", "m=",
        "m=audio 5000/9 RTP/AVP 8",
        "c=IN IP4 0.0.0.0", "c=IN IP6 ::1", "c=IN IP4 224.2.1.1/127/3", "c=", "a=inactive", "a=sendonly",
        "a=recvonly",
        "a=rtcp-mux", "a=rtcp:0", "a=rtcp-fb:* nack", "a=ptime:0", "a=ptime:-1", "a=maxptime:9999999",
        "a=group:BUNDLE 0",
        "a=mid:0", "a=ice-ufrag:a", "a=ice-pwd:b", "a=ice-lite", "a=candidate:1 1 UDP 1 127.0.0.1 9 typ host",
        "a=setup:active",
        "a=setup:holdconn", "a=fingerprint:SHA-256 AB", "a=fingerprint:",
        "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA",
        "a=crypto:1", "a=rtpmap:8 opus/48000/2", "a=rtpmap:96 ", "a=fmtp:101 0-16", "a=fmtp:8 ;;;=",
        "a=zrtp-hash:1.10 00",
        "a=tcap:1 RTP/SAVP", "a=pcfg:1 t=1", "a=acfg:1", "b=AS:0", "b=AS:-1", "b=TIAS:99999999999", "t=0",
        "t=", "k=clear:x",
        "a=T38FaxVersion:0", "a=content:main", "a=label:1", "a=record:on", "a=conf:audio", "z=0 0", "s=",
        "o=", "v=1", "=", "a",
    ]

    /// Bodies other than sessions, with their types.
    static let bodies = [
        ("application/dtmf-relay", "Signal=5\r\nDuration=160\r\n"), ("application/dtmf", "5"),
        ("message/sipfrag", "SIP/2.0 200 OK\r\n"), ("message/sipfrag;version=2.0", "SIP/2.0"),
        ("application/media_control+xml", "<media_control><vc_primitive><to_encoder><picture_fast_update/>"),
        ("multipart/mixed;boundary=b", "--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b--\r\n"),
        ("multipart/mixed", "--b\r\n"), ("text/plain", "Hello"), ("application/conference-info+xml", "<a"),
        ("application/resource-lists+xml", "<resource-lists/>"), ("application/sdp", "v"),
    ]
}
