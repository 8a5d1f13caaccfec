// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import TouchtoneCore

@Suite struct ScrubberTests {
    @Test(arguments: [
        ("registered", "registered"),
        ("The server refused (403).", "The server refused (403)."),
        ("no answer from sip:ada@example.org", "no answer from (address)"),
        (
            "No SIP server was found for example.org. Check it.",
            "No SIP server was found for (host) Check it."
        ),
        ("call +1 (555) 867-5309 failed", "call +1 (555) (number) failed"),
        ("192.0.2.1 and 2001:db8::1", "(host) and (address)"),
        ("open /home/ada/secret.txt or /tmp/x", "open (hidden) or (path)"),
        ("it said “Alan is not at home”, again", "it said “…”, again"),
        ("it said „Alan “ and «Ada", "it said „…“ and «…"),
        ("it said \"Alan", "it said \"…"),
        ("Ada’s phone, ADA, adamant", "(hidden) phone, (hidden) (hidden)"),
        ("the ada, de la Grace Brewster", "the (hidden) de la (hidden) (hidden)"),
        ("١٢٣٤٥", "(number)"),
        ("line\nbreak\u{202E}", "line break"),
        ("", ""),
    ])
    func textNamesNobody(_ text: String, expected: String) {
        #expect(Scrubber(hiding: ["ada", "x", "", "Grace  Brewster", "el"]).scrubbed(text) == expected)
    }

    @Test func longTextIsCut() {
        let text = Scrubber().scrubbed(String(repeating: "a ", count: 100_000))
        #expect(text.count < 400)
    }
}
