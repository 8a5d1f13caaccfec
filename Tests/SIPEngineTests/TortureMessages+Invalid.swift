// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation

extension TortureMessages {
    private static let invite = "INVITE sip:user@example.com SIP/2.0"
    private static let options = "OPTIONS sip:user@example.com SIP/2.0"
    private static let register = "REGISTER sip:example.com SIP/2.0"

    /// Section 3.1.2.
    static let invalid = [
        Message(
            "badinv01", [100, 180, 400],
            request(
                "badinv01", invite, "Via: SIP/2.0/UDP 192.0.2.15;;,;,,",
                contact: "\"Joe\" <sip:joe@example.org>;;;;")
        ),
        Message("clerr", [], request("clerr", invite, "", length: "9999")),
        Message("ncl", [], request("ncl", invite, "", sequence: "0 INVITE", length: "-999")),
        Message(
            "scalar02", [400, 405],
            request(
                "scalar02", register, "Expires: 1" + String(repeating: "0", count: 100),
                sequence: "36893488147419103232 REGISTER",
                contact: "<sip:user@host129.example.com>\n  ;expires=280297596632815")),
        Message(
            "scalarlg", [],
            """
            SIP/2.0 503 Service Unavailable
            Via: SIP/2.0/TCP host129.example.com;branch=z9hG4bKzzxdiwo34sw;received=192.0.2.129
            To: <sip:user@example.com>
            From: <sip:other@example.net>;tag=2easdjfejw
            CSeq: 9292394834772304023312 OPTIONS
            Call-ID: scalarlg.noase0of0234hn2qofoaf0232aewf2394r
            Retry-After: 949302838503028349304023988
            Warning: 1812 overture "In Progress"
            Content-Length: 0


            """),
        Message(
            "quotbal", [],
            request("quotbal", invite, "", to: "\"Mr. J. User <sip:j.user@example.com>")),
        Message("ltgtruri", [], request("ltgtruri", "INVITE <sip:user@example.com> SIP/2.0", "")),
        Message(
            "lwsruri", [],
            request(
                "lwsruri", "INVITE sip:user@example.com; lr SIP/2.0", "", sequence: "2130706432 INVITE",
                to: "sip:user@example.com;tag=3xfe-9921883-z9f")),
        Message("lwsstart", [], request("lwsstart", "INVITE  sip:user@example.com  SIP/2.0", "")),
        Message(
            "trws", [],
            request(
                "trws", "OPTIONS sip:remote-target@example.com SIP/2.0  ", "", sequence: "238923 OPTIONS")),
        Message(
            "escruri", [100, 180, 400],
            request(
                "escruri", "INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0", "",
                sequence: "149209342 INVITE")),
        Message(
            "baddate", [100, 180],
            request("baddate", invite, "Date: Fri, 01 Jan 2010 16:00:00 EST", sequence: "1392934 INVITE")),
        Message(
            "regbadct", [405],
            request(
                "regbadct", register, "", sequence: "1 REGISTER",
                contact: "sip:user@example.com?Route=%3Csip:sip.example.com%3E")),
        Message(
            "badaspec", [200],
            request(
                "badaspec", options, "Accept: application/sdp", sequence: "3923239 OPTIONS",
                to: "\"Watson, Thomas\" < sip:t.watson@example.org >", contact: nil)),
        Message(
            "baddn", [200],
            request(
                "baddn", options, "Accept: application/sdp", sequence: "3923239 OPTIONS",
                to: "Watson, Thomas <sip:t.watson@example.org>",
                from: "Bell, Alexander <sip:a.g.bell@example.com>;tag=43", contact: nil)),
        Message(
            "badvers", [],
            request(
                "badvers", "OPTIONS sip:t.watson@example.org SIP/7.0",
                "Via: SIP/7.0/UDP c.example.com;branch=z9hG4bKkdjuw", sequence: "1 OPTIONS", contact: nil)),
        Message("mismatch01", [400], request("mismatch01", options, "", contact: nil)),
        Message(
            "mismatch02", [400],
            request(
                "mismatch02", "NEWMETHOD sip:user@example.com SIP/2.0", "", length: "{length}",
                body: "{session}")),
        Message(
            "bigcode", [],
            """
            SIP/2.0 4294967301 better not break the receiver
            Via: SIP/2.0/UDP 192.0.2.105;branch=z9hG4bK2398ndaoe
            Call-ID: bigcode.asdof3uj203asdnf3429uasdhfas3ehjasdfas9i
            CSeq: 353494 INVITE
            From: <sip:user@example.com>;tag=39ansfi3
            To: <sip:user@example.edu>;tag=902jndnke3
            Content-Length: 0
            Contact: <sip:user@host105.example.com>


            """),
    ]

    /// Sections 3.2 to 3.4.
    static let others = [
        // The branch of the Via field that the proxy adds is what the engine uses.
        Message(
            "badbranch", [200],
            request("badbranch", options, "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK", sequence: "8 OPTIONS")),
        Message(
            "insuf", [],
            """
            INVITE sip:user@example.com SIP/2.0
            CSeq: 193942 INVITE
            Content-Type: application/sdp
            l: {length}

            {session}
            """),
        Message(
            "unkscm", [200, 416],
            request(
                "unkscm", "OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0", "",
                sequence: "3923423 OPTIONS", contact: nil)),
        Message(
            "novelsc", [200, 416],
            request(
                "novelsc", "OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0", "", sequence: "3923423 OPTIONS",
                contact: nil)),
        Message(
            "unksm2", [405],
            request(
                "unksm2", register, "", sequence: "234902 REGISTER", to: "isbn:2983792873",
                from: "<http://www.example.com>;tag=3234233", contact: "<name:John_Smith>")),
        Message(
            "bext01", [200, 420],
            request(
                "bext01", options,
                "Require: nothingSupportsThis, nothingSupportsThisEither\nProxy-Require: noProxiesSupportThis",
                sequence: "8 OPTIONS", contact: nil)),
        Message(
            "invut", [415],
            request(
                "invut", invite, "", type: "application/unknownformat",
                body: "<audio>\r\n <pcmu port=\"443\"/>\r\n</audio>\r\n")),
        Message(
            "regaut01", [405],
            request(
                "regaut01", register, "Authorization: NoOneKnowsThisScheme opaque-data=here",
                sequence: "9338 REGISTER")),
        Message(
            "multi01", [],
            request(
                "multi01", invite,
                "CSeq: 59 INVITE\nFrom: sip:caller@example.com;tag=3413415\nTo: sip:other@example.net\n"
                    + "Contact: <sip:caller@host36.example.net>")),
        Message(
            "mcl01", [],
            request(
                "mcl01", options, "Content-Length: 13", sequence: "15932 OPTIONS", type: "text/plain",
                length: "5", body: "There's no way to know how many octets are supposed to be here.\n")),
        Message(
            "bcast", [],
            """
            SIP/2.0 200 OK
            Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923
            Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23
            Call-ID: bcast.0384840201234ksdfak3j2erwedfsASdf
            CSeq: 35 INVITE
            From: sip:user@example.com;tag=11141343
            To: sip:user@example.edu;tag=2229
            Content-Length: {length}
            Content-Type: application/sdp
            Contact: <sip:user@host28.example.com>

            {session}
            """),
        // Of the phone itself, so that no hop is left to take.
        Message(
            "zeromf", [200, 483],
            request("zeromf", options, "", sequence: "39234321 OPTIONS", contact: nil)
                .replacingOccurrences(of: "Max-Forwards: 70", with: "Max-Forwards: 0")),
        Message(
            "cparam01", [405],
            request(
                "cparam01", register, "", sequence: "2 REGISTER",
                contact: "sip:+19725552222@gw1.example.net;unknownparam")),
        Message(
            "cparam02", [405],
            request(
                "cparam02", register, "", sequence: "3 REGISTER",
                contact: "<sip:+19725552222@gw1.example.net;unknownparam>")),
        Message(
            "regescrt", [405],
            request(
                "regescrt", register, "", sequence: "14398234 REGISTER",
                contact: "<sip:user@example.com?Route=%3Csip:sip.example.com%3E>")),
        Message("sdp01", [100, 180, 406], request("sdp01", invite, "Accept: text/nobodyKnowsThis")),
        // RFC 3261 requires a tag in From.
        Message(
            "inv2543", [400],
            """
            INVITE sip:UserB@example.com SIP/2.0
            From: <sip:+13035551111@ift.client.example.net;user=phone>
            Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>
            To: sip:+16505552222@ss1.example.net;user=phone
            Call-ID: inv2543.1717@ift.client.example.com
            CSeq: 56 INVITE
            Content-Type: application/sdp

            {session}
            """),
    ]
}
