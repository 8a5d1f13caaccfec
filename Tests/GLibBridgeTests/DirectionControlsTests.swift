// SPDX-License-Identifier: GPL-3.0-or-later

import GLibBridge
import Testing

@Suite struct DirectionControlsTests {
    @Test(arguments: [
        ("Grace", "Grace"), ("", ""), ("\u{202e}ecarG", "ecarG"),
        ("a\u{202a}b\u{202b}c\u{202c}d\u{202d}e", "abcde"),
        ("\u{2067}a", "\u{2067}a\u{2069}"), ("a\u{2069}b\u{2069}", "ab"),
        ("\u{2068}a\u{2066}b\u{2069}c\u{2069}", "\u{2068}a\u{2066}b\u{2069}c\u{2069}"),
        ("\u{2067}a\nb\u{2069}", "\u{2067}a\u{2069}\nb"), ("“–…” שלום\u{200f}", "“–…” שלום\u{200f}"),
    ])
    func directionEndsWithText(_ text: String, contained: String) {
        #expect(DirectionControls.contained(text) == contained)
        #expect(DirectionControls.contained(contained) == contained)
    }

    @Test func manyLevelsAreBounded() {
        let text = String(repeating: "\u{2067}", count: 100_000)
        #expect(DirectionControls.contained(text).unicodeScalars.count == 120)
    }
}
