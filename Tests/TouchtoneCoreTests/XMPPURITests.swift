// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing
import TouchtoneCore

@Suite struct XMPPURITests {
    @Test(arguments: [
        ("xmpp:grace@example.org", "grace@example.org", XMPPURI.Action.open),
        ("XMPP:grace@example.org/phone", "grace@example.org", .open),
        ("xmpp://me@example.com/grace@example.org?message", "grace@example.org", .message(body: "")),
        (
            "xmpp:grace@example.org?message;subject=Hello;body=See%20you%2C%20%F0%9F%98%80",
            "grace@example.org", .message(body: "See you, 😀")
        ),
        (
            "xmpp:grace@example.org?message;body=a%0D%0Ab%0Dc%0Ad%09e", "grace@example.org",
            .message(body: "a\nb\nc\nd\te")
        ),
        ("xmpp:grace@example.org?message;body=a+b&c", "grace@example.org", .message(body: "a+b&c")),
        ("xmpp:grace@example.org?Message;BODY=x#part", "grace@example.org", .message(body: "x")),
        ("xmpp:grace@example.org?message;body=1;body=2", "grace@example.org", .message(body: "1")),
        ("xmpp:grace@example.org?message;body", "grace@example.org", .message(body: "")),
        (
            "xmpp:grace@example.org?roster;name=Grace%20%20H.%0A;group=Navy", "grace@example.org",
            .add(name: "Grace H.")
        ),
        ("xmpp:grace@example.org?subscribe", "grace@example.org", .add(name: "")),
        ("xmpp:grace@example.org?remove", "grace@example.org", .open),
        ("xmpp:grace@example.org?", "grace@example.org", .open),
        ("xmpp:example.org", "example.org", .open),
        ("xmpp:room@rooms.example.org?join", "room@rooms.example.org", .join),
        ("xmpp:example.org?register", "example.org", .register(token: "")),
        ("xmpp:example.org?register;preauth=a%2Bb;preauth=c", "example.org", .register(token: "a+b")),
        ("xmpp:ada@example.org?register;preauth=x", "ada@example.org", .register(token: "x")),
        ("xmpp:example.org?register;preauth=a%20b%0A", "example.org", .register(token: "")),
        (
            "xmpp:grace@example.org?roster;preauth=x;ibr=y;name=Evil", "grace@example.org",
            .invitation(token: "x", canRegister: true)
        ),
        (
            "xmpp:grace@example.org?roster;ibr=n;preauth=x", "grace@example.org",
            .invitation(token: "x", canRegister: false)
        ),
        (
            "xmpp:grace@example.org?roster;ibr=y;preauth=" + String(repeating: "x", count: 513),
            "grace@example.org", .add(name: "")
        ),
        (
            "xmpp:nasty!%23$%25()*+,-.;=%3F%5B%5C%5D%5E_%60%7B%7C%7D~node@example.com",
            "nasty!#$%()*+,-.;=?[\\]^_`{|}~node@example.com", .open
        ),
        ("xmpp:%C4%8Dechy@%C5%99.example", "čechy@ř.example", .open),
    ]) func isRead(_ text: String, _ address: String, _ action: XMPPURI.Action) throws {
        let link = try XMPPURI(text)
        #expect(link.address == address)
        #expect(link.action == action)
        let again = try XMPPURI(link.text)
        #expect(again == link, "\(link.text)")
    }

    /// An account that is no address counts as none.
    @Test(arguments: [
        ("xmpp://me@example.com/grace@example.org?message", "me@example.com"),
        ("xmpp://m%C3%A9@example.com/grace@example.org/phone#part", "mé@example.com"),
        ("xmpp:grace@example.org", nil), ("xmpp:///grace@example.org", nil),
        ("xmpp://me@@example.com/grace@example.org", nil), ("xmpp://%zz/grace@example.org", nil),
    ]) func accountIsRead(_ text: String, _ account: String?) throws {
        let link = try XMPPURI(text)
        #expect(link.address == "grace@example.org" && link.account == account)
        #expect(try XMPPURI(link.text) == link)
    }

    @Test(arguments: [
        ("tel:5551212", XMPPURIError.notAnXMPPLink), ("xmp", .notAnXMPPLink), ("", .notAnXMPPLink),
        ("xmpp:", .noAddress), ("xmpp:?message", .noAddress), ("xmpp:@example.org", .noAddress),
        ("xmpp:grace@", .noAddress), ("xmpp:a@b@c", .noAddress), ("xmpp:/phone", .noAddress),
        ("xmpp://me@example.com", .noAddress), ("xmpp:a%40b@example.org", .noAddress),
        ("xmpp:a%2Fb@example.org", .noAddress), ("xmpp:a%20b@example.org", .noAddress),
        ("xmpp:a%0Ab@example.org", .noAddress), ("xmpp:a%00@example.org", .noAddress),
        ("xmpp:a%4@example.org", .malformedEscape), ("xmpp:a%zz@example.org", .malformedEscape),
        ("xmpp:a@example.org?message;body=%", .malformedEscape),
        ("xmpp:a@example.org?message;body=%FF%FE", .malformedEscape),
        ("xmpp:a@example.org?message;body=%C3", .malformedEscape),
    ]) func isRefused(_ text: String, _ error: XMPPURIError) {
        #expect(throws: error) { try XMPPURI(text) }
    }

    @Test func callIsAskedFor() throws {
        let link = try XMPPURI("xmpp:ada@example.org/x?CALL;type=audio")
        #expect(link.isCall && link.action == .open && link.text == "xmpp:ada@example.org?call")
        for text in [
            "xmpp:ada@example.org", "xmpp:ada@example.org?message;body=call", "xmpp:a@b.example?calls",
        ] {
            #expect(try !XMPPURI(text).isCall, "\(text)")
        }
    }

    @Test func longLinkIsNotParsed() {
        let body = String(repeating: "x", count: XMPPURI.readingLimit)
        #expect(throws: XMPPURIError.tooLong) { try XMPPURI("xmpp:a@example.org?message;body=" + body) }
    }

    @Test func bodyHasNoControlCharacters() throws {
        let body = try XMPPURI("xmpp:a@b.example?message;body=%1B%5B2J%07%00%7F%C2%9Bx").action
        #expect(body == .message(body: "[2Jx"))
        let name = try XMPPURI(
            "xmpp:a@b.example?roster;name=" + String(repeating: "%F0%9F%98%80", count: 1000)
        ).action
        #expect(name == .add(name: String(repeating: "😀", count: XMPPURI.maximumNameLength)))
    }

    /// Any input ends in a link or an error, and a link that is written is read as the same link.
    @Test(arguments: Seeds.all) func anythingIsReadOrRefused(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "xmpp:", "//", "/", "?", ";", "=", "#", "@", "%", "%2", "%20", "%00", "%C3%A9", "%F0", "message",
            "roster",
            "body", "name", "a", "example.org", "é", "\u{301}", "\r", "\n", "\u{202E}", "😀", "&", " ",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...14, using: &random)
            let text = "xmpp:" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let link = try? XMPPURI(text) else { continue }
            #expect(!link.address.isEmpty && link.address.utf8.count <= XMPPURI.readingLimit)
            #expect(link.account?.isEmpty != true)
            #expect(!link.address.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 32 })
            let again = try XMPPURI(link.text)
            #expect(again == link, "\(text)")
        }
    }

    @Test func phoneLinkIsTelOrXMPP() throws {
        #expect(try PhoneLink("tel:5551212").text == "tel:5551212")
        #expect(try PhoneLink("xmpp:a@b.example?subscribe").text == "xmpp:a@b.example?roster;name=")
        for (text, reason) in [
            ("https://example.org", TelURIError.notATelLink.message),
            ("xmpp:", XMPPURIError.noAddress.message),
        ] {
            let error = #expect(throws: PhoneLink.Unreadable.self) { try PhoneLink(text) }
            #expect(error?.message == reason)
        }
    }
}
