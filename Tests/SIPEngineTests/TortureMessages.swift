// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

/// The test messages of RFC 4475, by the names of their sections, with what makes each of them difficult.
enum TortureMessages {
    /// A message: its lines, with marks such as `{session}` and `{NUL}` where these belong, and the statuses that may answer it.
    ///
    /// Without a status it is not answered.
    struct Message: CustomStringConvertible {
        let name: String
        let statuses: [Int]
        let lines: String
        var description: String { name }

        init(_ name: String, _ statuses: [Int], _ lines: String) {
            (self.name, self.statuses, self.lines) = (name, statuses, lines)
        }

        /// The length of the body of `mpart01`, in which each mark stands for one byte.
        private static func binaryLength(_ rows: [String]) -> Int {
            let body = rows.drop { !$0.isEmpty }.dropFirst().joined(separator: "\r\n")
            return body.replacingOccurrences(of: "{FF}", with: ".")
                .replacingOccurrences(of: "{NUL}", with: ".").utf8.count
        }

        /// The message in bytes, behind a Via field of the proxy that passes it on.
        func bytes(via: String?) -> [UInt8] {
            var rows = lines.components(separatedBy: "\n")
            if let via { rows.insert("Via: \(via)", at: 1) }
            let text = rows.joined(separator: "\r\n")
                .replacingOccurrences(of: "{session}", with: TortureMessages.session)
                .replacingOccurrences(of: "{length}", with: "\(TortureMessages.session.utf8.count)")
                .replacingOccurrences(of: "{filling}", with: String(repeating: "filling", count: 80))
                .replacingOccurrences(of: "{BEL}", with: "\u{7}")
                .replacingOccurrences(of: "{DEL}", with: "\u{7f}")
                .replacingOccurrences(of: "{rest}", with: "\(Self.binaryLength(rows))")
            var bytes: [UInt8] = []
            for part in text.components(separatedBy: "{NUL}") {
                if !bytes.isEmpty { bytes.append(0) }
                for (index, piece) in part.components(separatedBy: "{FF}").enumerated() {
                    bytes += (index > 0 ? [0xff] : []) + Array(piece.utf8)
                }
            }
            return bytes
        }
    }

    /// The session of the messages.
    static let session =
        "v=0\r\no=mhandley 29739 7272939 IN IP4 192.0.2.5\r\ns=-\r\nc=IN IP4 192.0.2.5\r\nt=0 0\r\n"
        + "m=audio 49217 RTP/AVP 0 12\r\nm=video 3227 RTP/AVP 31\r\na=rtpmap:31 LPC\r\n"

    /// Section 3.1.1.
    static let valid = [
        Message(
            "wsinv", [481],
            #"""
            INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0
            TO :
             sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n
            from   : "J Rosenberg \\\""       <sip:jdrosen@example.com>
              ;
              tag = 98asjd8
            MaX-fOrWaRdS: 0068
            Call-ID: wsinv.ndaksdj@192.0.2.1
            Content-Length   : {length}
            cseq: 0009
              INVITE
            s :
            NewFangledHeader:   newfangled value
             continued newfangled value
            UnknownHeaderWithUnusualValue: ;;,,;;,;
            Content-Type: application/sdp
            Route:
             <sip:services.example.com;lr;unknownwith=value;unknown-no-value>
            v:  SIP  / 2.0  / TCP     spindle.example.com   ;
              branch  =   z9hG4bK9ikj8  ,
             SIP  /    2.0   / UDP  192.168.255.111   ; branch=
             z9hG4bK30239
            m:"Quoted string \"\"" <sip:jdrosen@example.com> ; newparam =
                  newvalue ;
              secondparam ; q = 0.33

            {session}
            """#),
        Message(
            "intmeth", [],
            #"""
            !interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0
            To: "BEL:\{BEL} NUL:\{NUL} DEL:\{DEL}" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>
            From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%="работающий";tag=_token~1'+`*%!-.
            Call-ID: intmeth.word%ZK-!.*_+'@word`~)(><:\/"][?}{
            CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~
            Max-Forwards: 255
            extensionHeader-!.%*+_`'~:大停電
            Content-Length: 0


            """#),
        Message(
            "esc01", [180, 100],
            """
            INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0
            To: sip:%75se%72@example.com
            From: <sip:I%20have%20spaces@example.net>;tag=938
            Max-Forwards: 87
            i: esc01.239409asdfakjkn23onasd0-3234
            CSeq: 234234 INVITE
            C: application/sdp
            Contact:
              <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>
            Content-Length: {length}

            {session}
            """),
        Message(
            "escnull", [405],
            """
            REGISTER sip:example.com SIP/2.0
            To: sip:null-%00-null@example.com
            From: sip:null-%00-null@example.com;tag=839923423
            Max-Forwards: 70
            Call-ID: escnull.39203ndfvkjdasfkq3w4otrq0adsfdfnavd
            CSeq: 14398234 REGISTER
            Contact: <sip:%00@host5.example.com>
            Contact: <sip:%00%00@host5.example.com>
            L:0


            """),
        Message(
            "esc02", [501],
            """
            RE%47IST%45R sip:registrar.example.com SIP/2.0
            To: "%Z%45" <sip:resource@example.com>
            From: "%Z%45" <sip:resource@example.com>;tag=f232jadfj23
            Call-ID: esc02.asdfnqwo34rq23i34jrjasdcnl23nrlknsdf
            CSeq: 29344 RE%47IST%45R
            Max-Forwards: 70
            Contact: <sip:alias1@host1.example.com>
            C%6Fntact: <sip:alias2@host2.example.com>
            Contact: <sip:alias3@host3.example.com>
            l: 0


            """),
        Message(
            "lwsdisp", [200],
            """
            OPTIONS sip:user@example.com SIP/2.0
            To: sip:user@example.com
            From: caller<sip:caller@example.com>;tag=323
            Max-Forwards: 70
            Call-ID: lwsdisp.1234abcd@funky.example.com
            CSeq: 60 OPTIONS
            l: 0


            """),
        Message(
            "longreq", [],
            """
            INVITE sip:user@example.com SIP/2.0
            To: "I have a user name of extreme proportion{filling}" <sip:user@example.com:6000;unknownparam1=verylong{filling}value;longparam{filling}name=shortvalue>
            F: sip:{filling}@example.net;tag=12982982982982424;unknownheaderparam{filling}name=value
            Call-ID: longreq.one{filling}longcallid
            CSeq: 3882340 INVITE
            Unknown-{filling}-Name: unknown-{filling}-value; unknown-{filling}-parameter-name=value
            Via: SIP/2.0/TCP sip33.example.com
            v: SIP/2.0/TCP sip32.example.com, SIP  /2.0  /TCP {filling}.example.com;branch=z9hG4bK{filling}
            Max-Forwards: 70
            Contact: <sip:{filling}@host5.example.net>
            Content-Type: application/sdp
            l: {length}

            {session}
            """),
        Message(
            "dblreq", [405],
            """
            REGISTER sip:example.com SIP/2.0
            To: sip:j.user@example.com
            From: sip:j.user@example.com;tag=43251j3j324
            Max-Forwards: 8
            I: dblreq.0ha0isndaksdj99sdfafnl3lk233412
            Contact: sip:j.user@host.example.com
            CSeq: 8 REGISTER
            Content-Length: 0


            INVITE sip:joe@example.com SIP/2.0
            t: sip:joe@example.com
            From: sip:caller@example.net;tag=141334
            Max-Forwards: 8
            Call-ID: dblreq.0ha0isnda977644900765@192.0.2.15
            CSeq: 8 INVITE
            Via: SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw380234
            Content-Type: application/sdp
            Content-Length: {length}

            {session}
            """),
        Message(
            "semiuri", [200],
            """
            OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0
            To: sip:j_user@example.com
            From: sip:caller@example.org;tag=33242
            Max-Forwards: 3
            Call-ID: semiuri.0ha0isndaksdj
            CSeq: 8 OPTIONS
            Accept: application/sdp, application/pkcs7-mime,
                    multipart/mixed, multipart/signed,
                    message/sip, message/sipfrag
            l: 0


            """),
        Message(
            "transports", [200],
            """
            OPTIONS sip:user@example.com SIP/2.0
            To: sip:user@example.com
            From: <sip:caller@example.com>;tag=323
            Max-Forwards: 70
            Call-ID: transports.kijh4akdnaqjkwendsasfdj
            Accept: application/sdp
            CSeq: 60 OPTIONS
            Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw
            Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf
            Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj
            Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en
            Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee
            l: 0


            """),
        Message(
            "mpart01", [405],
            """
            MESSAGE sip:kumiko@example.org SIP/2.0
            Max-Forwards: 70
            Route: <sip:127.0.0.1:5080>
            Identity: r5mwreLuyDRYBi/0TiPwEsY3rEVsk
            Contact: <sip:fluffy@127.0.0.1:5070>
            To: <sip:kumiko@example.org>
            From: <sip:fluffy@example.com>;tag=2fb0dcc9
            Call-ID: 3d9485ad0c49859b@Zmx1ZmZ5LW1hYy0xNi5sb2NhbA..
            CSeq: 1 MESSAGE
            Content-Transfer-Encoding: binary
            Content-Type: multipart/mixed;boundary=7a9cbec02ceef655
            Date: Sat, 15 Oct 2005 04:44:56 GMT
            Content-Length: {rest}

            --7a9cbec02ceef655
            Content-Type: text/plain
            Content-Transfer-Encoding: binary

            Hello
            --7a9cbec02ceef655
            Content-Type: application/octet-stream

            0{FF}{NUL}{FF}0{NUL}California
            --7a9cbec02ceef655--

            """),
        Message(
            "unreason", [],
            """
            SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое
            Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923
            Call-ID: unreason.1234ksdfak3j2erwedfsASdf
            CSeq: 35 INVITE
            From: sip:user@example.com;tag=11141343
            To: sip:user@example.edu;tag=2229
            Content-Length: {length}
            Content-Type: application/sdp
            Contact: <sip:user@host198.example.com>

            {session}
            """),
        Message(
            "noreason", [],
            """
            SIP/2.0 100\u{20}
            Via: SIP/2.0/UDP 192.0.2.105;branch=z9hG4bK2398ndaoe
            Call-ID: noreason.asndj203insdf99223ndf
            CSeq: 35 INVITE
            From: <sip:user@example.com>;tag=39ansfi3
            To: <sip:user@example.edu>;tag=902jndnke3
            Content-Length: 0
            Contact: <sip:user@host105.example.com>


            """),
    ]

    /// The fields that most of the other messages share, in the order of the RFC.
    static func request(
        _ name: String, _ start: String, _ fields: String, sequence: String = "8 INVITE",
        to: String? = "sip:j.user@example.com", from: String? = "sip:caller@example.net;tag=134161461246",
        contact: String? = "<sip:caller@host5.example.net>", type: String = "application/sdp",
        length: String? = nil, body: String? = nil
    ) -> String {
        let hasSession = start.hasPrefix("INVITE") && body == nil
        let content = hasSession ? "{session}" : body ?? ""
        var lines = [start]
        if let to { lines.append("To: \(to)") }
        if let from { lines.append("From: \(from)") }
        lines += ["Max-Forwards: 70", "Call-ID: \(name).0ha0isndaksdjasdf3234nas", "CSeq: \(sequence)"]
        if let contact { lines.append("Contact: \(contact)") }
        if !fields.isEmpty { lines.append(fields) }
        if !content.isEmpty { lines.append("Content-Type: \(type)") }
        let count = hasSession ? session.utf8.count : content.utf8.count
        lines.append("Content-Length: \(length ?? "\(count)")")
        return (lines + ["", content]).joined(separator: "\n")
    }
}
