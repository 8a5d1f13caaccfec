// SPDX-License-Identifier: GPL-3.0-or-later

import Testing
import TouchtoneCore

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("", ""), ("Grace Hopper", "Grace Hopper"), ("  two  spaces  ", "  two  spaces  "),
        // Line breaks of all kinds, and tabs.
        ("a\nb\r\nc\td\u{b}\u{c}e\u{85}f\u{2028}g\u{2029}h", "a b c d e f g h"),
        ("\n\ta\n", "a"), ("a\n b \nc", "a b c"), ("\n", ""),
        // Control characters.
        ("a\u{0}b\u{7}c\u{1b}[31md\u{7f}e\u{9f}", "a\u{2400}b\u{2407}c\u{241b}[31md\u{2421}e\u{fffd}"),
        // Characters that change the direction of text, and others that are invisible.
        ("\u{202e}live\u{202c}\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}", "livex"),
        ("pay\u{200b}pal\u{feff}\u{ad}\u{2060}", "paypal"),
        // Emoji and scripts that need joiners, tags and number signs.
        (
            "👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"
        ),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"), ("\u{600}١٢", "\u{600}١٢"),
    ])
    func lineHasOnlyVisibleCharacters(_ text: String, _ line: String) {
        #expect(Array(PlainText.line(text).unicodeScalars) == Array(line.unicodeScalars))
    }

    @Test func longLineIsCut() {
        #expect(PlainText.line("12345", maximum: 5) == "12345")
        #expect(PlainText.line("123456", maximum: 5) == "12345…")
        #expect(PlainText.line(String(repeating: "x", count: 100_000)).unicodeScalars.count == 201)
        // A letter with many accents, and a text that begins with invisible characters.
        #expect(PlainText.line("e" + String(repeating: "\u{301}", count: 5000)).unicodeScalars.count == 201)
        #expect(PlainText.line(String(repeating: "\u{200b}", count: 5000) + "x") == "…")
    }

    @Test func symbolsReplaceControlCharacters() {
        #expect("a\tb\n\r\u{0}".unicodeScalars.map(PlainText.visible) == ["a", "\t", "b", "\n", "␍", "␀"])
    }
}
