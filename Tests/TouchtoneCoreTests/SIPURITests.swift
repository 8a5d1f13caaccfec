// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct SIPURITests {
    @Test(arguments: [
        ("sip:grace@example.org", "sip:grace@example.org"),
        ("SIPS:Grace@Example.ORG", "sips:Grace@example.org"),
        ("sip:grace@example.org:5061", "sip:grace@example.org:5061"),
        ("sip://grace@b.example", "sip:grace@b.example"),
        ("sip:grace:secret@b.example", "sip:grace@b.example"), ("sip:a%20b@b.example", "sip:a%20b@b.example"),
        ("sip:%61lice@b.example", "sip:alice@b.example"),
        ("sip:+1-555@b.example;user=phone", "sip:+1-555@b.example"),
        ("sip:grace@b.example;maddr=evil.example;transport=udp", "sip:grace@b.example"),
        ("sip:grace@b.example?Route=%3Csip:evil%3E&subject=x", "sip:grace@b.example"),
        ("sip:a@[::1]:5060", "sip:a@[::1]:5060"), ("sip:a@127.0.0.1", "sip:a@127.0.0.1"),
        ("sip:j%C3%BCrgen@b.example", "sip:j%C3%BCrgen@b.example"),
        ("sip:a;x=y@b.example", "sip:a;x=y@b.example"),
        ("sip:%23%40@b.example", "sip:%23%40@b.example"),
    ])
    func linkIsReadAndNormalized(link: String, text: String) throws {
        let uri = try SIPURI(link)
        #expect(uri.text == text)
        #expect(try SIPURI(text) == uri)
    }

    @Test(arguments: [
        "sip:", "sip:@", "sip:b.example", "sip:@b.example", "sip:a@", "sip:a@b c", "sip:a@-b.example",
        "sip:a@b..example", "sip:a@b.example:", "sip:a@b.example:0", "sip:a@b.example:65536",
        "sip:a@b.example:+1",
        "sip:a@b.example:5060:1", "sip:a@[::1", "sip:a@[]", "sip:a@[evil]", "sip:a@[::1]x",
        "sip:a%00@b.example",
        "sip:a%0d%0aVia:@b.example", "sip:%E2%80%AEgro@b.example", "sip:a@b.example\r\nRoute: <sip:evil>",
        "sip:a@b@c", "sip:a@exämple.org", "sip:\u{7f}@b.example",
        "sip:" + String(repeating: "a", count: 201) + "@b.example",
        "sip:a@" + String(repeating: "a", count: 64) + ".example",
    ])
    func hostileLinkIsRefused(link: String) {
        #expect(throws: SIPURIError.noAddress) { try SIPURI(link) }
    }

    @Test func otherErrorsAreNamed() {
        #expect(throws: SIPURIError.notASIPLink) { try SIPURI("tel:1") }
        #expect(throws: SIPURIError.notASIPLink) { try SIPURI("") }
        for escape in ["%", "%4", "%zz", "%ff"] {
            #expect(throws: SIPURIError.malformedEscape) { try SIPURI("sip:\(escape)@b.example") }
        }
        #expect(throws: SIPURIError.tooLong) { try SIPURI("sip:" + String(repeating: "a", count: 5000)) }
        #expect(SIPURIError.noAddress.message == "The link contains no SIP address.")
    }

    @Test func numberIsFoundInUser() throws {
        for (user, number) in [
            ("+1-555-867-5309", "+15558675309"), ("1001", "1001"), ("*97", "*97"), ("ada", nil), ("5a", nil),
            ("555,12", nil), ("+", nil),
        ] {
            #expect(try SIPURI("sip:\(user)@b.example").number?.text == number, "\(user)")
        }
    }

    @Test func enteredAddressNeedsNoScheme() throws {
        #expect(try SIPURI(entered: " ada@example.org\n").text == "sip:ada@example.org")
        #expect(try SIPURI(entered: "SIPS:ada@example.org").isSecure)
        #expect(try SIPURI(entered: "ada@example.org").shown == "ada@example.org")
    }

    @Test func phoneLinkKnowsScheme() throws {
        #expect(try PhoneLink("SIP:ada@example.org").text == "sip:ada@example.org")
        #expect(throws: PhoneLink.Unreadable.self) {
            try PhoneLink("sips:ada.example")
        }
    }
}
