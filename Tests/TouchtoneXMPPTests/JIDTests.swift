// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
@testable import TouchtoneXMPP

@Suite struct JIDTests {
    @Test(arguments: [
        ("grace@example.org", "grace", "example.org", ""),
        ("Grace@EXAMPLE.org/Desk Phone", "grace", "example.org", "Desk Phone"),
        ("example.org", "", "example.org", ""),
        ("example.org.", "", "example.org", ""),
        ("example.org/a@b/c", "", "example.org", "a@b/c"),
        ("ＧＲＡＣＥ@example.org", "grace", "example.org", ""),
        ("straße@xn--bcher-kva.example", "strasse", "bücher.example", ""),
        ("grace@BÜCHER.example", "grace", "bücher.example", ""),
        ("grace@[2001:DB8::1]/x", "grace", "[2001:db8::1]", "x"),
        ("+15558675309@sms.example", "+15558675309", "sms.example", ""),
        ("grace@example.org/📱", "grace", "example.org", "📱"),
    ])
    func normalizesToOneForm(_ text: String, _ local: String, _ domain: String, _ resource: String) throws {
        let jid = try #require(JID(text))
        #expect(jid.local == local)
        #expect(jid.domain == domain)
        #expect(jid.resource == resource)
        #expect(JID(jid.description) == jid)
    }

    @Test(arguments: [
        "", "@example.org", "grace@", "grace@example.org/", "/x", "gr ace@example.org", "grace@exa mple.org",
        "grace@@example.org", "grace@example..org", "a\u{0}b@example.org", "grace@example.org/\u{7}",
        "\u{202E}grace@example.org\u{0}", "gr\"ace@example.org", "grace@example.org\n", "grace@.",
        "grace@[x]",
        "grace@<b>", "gr:ace@example.org",
    ])
    func invalidAddressIsRefused(_ text: String) {
        #expect(JID(text) == nil)
    }

    @Test func partsAreBounded() {
        let long = String(repeating: "a", count: 1023)
        #expect(JID(local: long, domain: "example.org", resource: long) != nil)
        #expect(JID(local: long + "a", domain: "example.org") == nil)
        #expect(JID(local: "a", domain: "example.org", resource: long + "a") == nil)
        #expect(JID(local: "a", domain: long + "a") == nil)
        #expect(JID(String(repeating: "ß", count: 100_000)) == nil)
    }

    @Test func spellingsOfOneAddressAreEqual() {
        #expect(JID("Grace@Example.ORG") == JID("grace@example.org"))
        #expect(JID("grace@example.org/a") != JID("grace@example.org/A"))
        #expect(JID("grace@example.org/a")?.bare == JID("grace@example.org"))
        #expect(JID("grace@example.org/a")?.server == JID("example.org"))
    }
}

extension JIDTests {
    /// Found by the fuzzer.
    @Test(arguments: [
        "grü@xn--b--bcherprie/x", "grü@xn--b--bchelastrpriorityMPLE/Ⅸ x", "Grüße@xn--bcherpUTF-8tymple/Ⅼ x",
        "a@b/\u{301}", "a@\u{301}b",
    ])
    func parsedAddressRoundTrips(_ text: String) {
        guard let jid = JID(text) else { return }
        #expect(JID(jid.description) == jid)
    }

    @Test func combiningMarkFormsNoOtherCharacter() throws {
        #expect(try #require(JID("a@b/\u{301}x")).resource == "\u{301}x")
        #expect(try #require(JID("a@\u{0C43}b")).local == "a")
    }
}
