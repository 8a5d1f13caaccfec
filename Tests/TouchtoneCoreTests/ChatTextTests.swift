// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneCore

@Suite struct ChatTextTests {
    private static let emoticons: Emoticons = {
        let path = "\(Checkout.folder)/data/emoticons/western.table"
        let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
        return (try? Emoticons(bytes)) ?? .none
    }()

    /// Returns the displayed segments, with links in brackets.
    private func shown(_ text: String) -> String {
        let pieces = MessagePiece.pieces(of: text, emoticons: Self.emoticons)
        #expect(pieces.map(\.typed).joined() == text, "nothing is lost")
        return pieces.map { piece in
            switch piece {
            case .text(let text): String(text)
            case .emoticon(_, let emoji): emoji
            case .link(let text, _): "[\(text)]"
            }
        }.joined()
    }

    private func links(_ text: String) -> [TextLink] {
        MessagePiece.pieces(of: text, emoticons: .none).compactMap { piece in
            if case .link(_, let link) = piece { link } else { nil }
        }
    }

    // MARK: Emoticons

    @Test func emoticonTableHasRequiredForms() {
        let table = Self.emoticons.emoji
        #expect(Set(table.values).count >= 20)
        for (form, emoji) in [
            (":)", "\u{1F604}"), (":-)", "\u{1F604}"), (":(", "\u{1F614}"), (";)", "\u{1F609}"),
            (";-)", "\u{1F609}"), (":-x", "\u{1F618}"), ("<3", "\u{2764}\u{FE0F}"),
        ] { #expect(table[form] == emoji) }
    }

    @Test(arguments: [
        (":)", "😄"), (":) :-(", "😄 😔"), ("hi :)", "hi 😄"), ("hi :).", "hi 😄."), ("hi ;-)!!", "hi 😉!!"),
        ("a\n:)\nb", "a\n😄\nb"), ("\u{3000}:)\u{A0}", "\u{3000}😄\u{A0}"), ("hi:)", "hi:)"), (":)hi", ":)hi"),
        ("(:))", "(:))"), ("std::(", "std::("), ("std::( x", "std::( x"), ("at 10:0", "at 10:0"),
        ("8:(3", "8:(3"), ("f(:) ", "f(:) "), (":):)", ":):)"), ("`:)` :)", "`:)` 😄"),
        ("``` :)", "``` :)"), ("```\nx :) y\n``` :)", "```\nx :) y\n``` :)"),
        ("```\nx :) y\n```\n:)", "```\nx :) y\n```\n😄"), ("a ` b :) c", "a ` b 😄 c"),
        ("`a :) b` `c :) d`", "`a :) b` `c :) d`"), ("a ` b\n:) ` c", "a ` b\n😄 ` c"), ("😀 :)", "😀 😄"),
        (":", ":"), ("", ""), (" ", " "), (":-)\u{202E}", ":-)\u{202E}"), ("`` :) ``", "`` 😄 ``"),
    ])
    func emoticonsAreReplacedOnlyAsSeparateWords(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test func everyEmoticonIsReplacedAloneButNotInsideWord() {
        for (form, emoji) in Self.emoticons.emoji {
            #expect(shown(form) == emoji)
            #expect(shown("so \(form) or") == "so \(emoji) or")
            #expect(shown("x\(form)") == "x\(form)")
            #expect(shown("http://\(form)").contains(emoji) == false)
        }
    }

    @Test(arguments: [
        ("1F604", 1, EmoticonsError.Problem.noForm), ("\nXYZ :)", 2, .codePoint("XYZ")),
        ("41 :)", 1, .codePoint("41")),
        ("1F604+ :)", 1, .codePoint("1F604+")), ("D800 :)", 1, .codePoint("D800")),
        ("-1F604 :)", 1, .codePoint("-1F604")),
        ("1F604 :", 1, .form(":")), ("1F604 :) :)", 1, .twice(":)")),
        ("1F604 1234567890123", 1, .form("1234567890123")),
    ])
    func malformedEmoticonTableIsReported(_ text: String, _ line: Int, _ problem: EmoticonsError.Problem) {
        #expect(throws: EmoticonsError(line: line, problem: problem)) { try Emoticons(Array(text.utf8)) }
    }

    @Test func emoticonTableIsBounded() {
        #expect(throws: EmoticonsError(line: 1, problem: .notText)) { try Emoticons([0xFF]) }
        #expect(throws: EmoticonsError(line: 1, problem: .tooLong)) {
            try Emoticons([UInt8](repeating: 0x20, count: 100_000))
        }
    }

    // MARK: Links

    @Test(arguments: [
        ("see http://example.org.", "see [http://example.org]."),
        ("(https://example.org/a_(b))", "([https://example.org/a_(b)])"),
        ("HTTPS://Example.ORG/?q=1&r=2#x, ok", "[HTTPS://Example.ORG/?q=1&r=2#x], ok"),
        ("<http://example.org>", "<[http://example.org]>"), ("http://", "http://"),
        ("https://.", "https://."),
        ("xhttp://example.org", "xhttp://example.org"), ("http://[::1]/", "[http://[::1]/]"),
        ("„http://example.org“", "„[http://example.org]“"),
        ("http://müller.example/ü", "[http://müller.example/ü]"),
        ("http://a.example\u{202E}gpj", "[http://a.example]\u{202E}gpj"),
        ("见http://a.example。好", "见[http://a.example]。好"),
        ("<b>http://a.example</b>", "<b>[http://a.example]</b>"), ("tel:+1-555-0100", "[tel:+1-555-0100]"),
        ("tel:", "tel:"), ("tel:none", "tel:none"), ("sip:grace@example.org;", "[sip:grace@example.org];"),
        ("sips:grace@example.org", "[sips:grace@example.org]"), ("a sip:tea", "a sip:tea"),
        ("xmpp:room@chat.example.org?join", "[xmpp:room@chat.example.org?join]"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("http://a.example http://b.example", "[http://a.example] [http://b.example]"),
        ("`http://a.example`", "`[http://a.example]`"), ("**http://a.example**", "**[http://a.example]**"),
    ])
    func linksAreDetected(_ text: String, _ expected: String) { #expect(shown(text) == expected) }

    @Test(arguments: [
        ("555-0100", "5550100"), ("call 555-867-5309!", "5558675309"), ("(555) 867-5309", "5558675309"),
        ("(555)867-5309", "5558675309"), ("5558675309", "5558675309"), ("1-800-555-0199", "18005550199"),
        ("+1 (555) 867-5309.", "+15558675309"), ("+49 30 123456", "+4930123456"),
        ("+49 (0)30 123456", "+4930123456"),
        ("+442079460958", "+442079460958"), ("00 44 20 7946 0958", "00442079460958"),
        ("030 1234567", "0301234567"),
        ("01 23 45 67 89", "0123456789"), ("(020) 7946 0958", "02079460958"), ("Tel:555-0100", "5550100"),
        ("(call 555-0100)", "5550100"), ("555-0100, 12 apples", "5550100"),
        ("555-0100. 12 apples", "5550100"),
        ("10:30 555-0100", "5550100"), ("767-2676 (POPCORN)", "7672676"),
        ("555\u{A0}867\u{A0}5309", "5558675309"),
        ("555\u{2011}0100", "5550100"), ("2011 555-0100", "5550100"),
    ])
    func numbersAreDetected(_ text: String, _ number: String) {
        let found = links(text)
        #expect(found == [text.hasPrefix("Tel:") ? .number("Tel:555-0100") : .number(number)])
        guard case .number(let dialled) = found.first else { return }
        #expect(DialledNumber.read(dialled) != .noDigits)
    }

    @Test func adjacentNumbersAreDetectedSeparately() {
        #expect(links("555-0100 or 555-0101") == [.number("5550100"), .number("5550101")])
        #expect(links("555 867 5309 555 867 5310") == [.number("5558675309"), .number("5558675310")])
    }

    @Test(arguments: [
        "2011-09-12", "12.09.2011", "09/12/2011", "01.02.2011", "05 06 2011", "7:34:21", "10:30-11:45",
        "192.168.0.1", "192.168.100.200", "127.0.0.1:8080", "3.14159265358979", "1,000,000", "0.12345678",
        "1 234",
        "v1.2.3", "abc5558675309", "5558675309abc", "1315870461", "12345678", "4111 1111 1111 1111",
        "978-3-16-148410-0", "0-306-40615-2", "550e8400-e29b-41d4-a716-446655440000", "+1", "+", "(", "()",
        "((555",
        "12345678901234567890", "a@5558675309", "$5558675309", "#5558675309", "555-0100-", "1-2-3-4-5-6-7",
        "_5558675309x", "=5558675309",
    ])
    func otherDigitsAreNotDetectedAsNumbers(_ text: String) {
        #expect(links(text).isEmpty)
        #expect(links("so \(text) it is").isEmpty)
    }

    // MARK: Bounds

    /// Texts that take long to scan for an algorithm that backtracks.
    @Test(arguments: [
        "a", "http://", "http://a", "`", "` ", "```\n", "(", ")", "1", "1 ", "555 ", "+1 ", "(5", "1.", ":) ",
        ":)", ":",
        "tel:", "sip:a@", "\u{1F604}", "é", "\u{202E}", ".", ",", "http://a(", "tel:1 ", "1-", "(5)", "+",
        "555-0100 ",
    ])
    func workGrowsLinearlyWithText(_ part: String) {
        // The measure is steps instead of seconds: ten times the text takes little more than ten times the steps.
        let text = String(repeating: part, count: 30_000 / part.count)
        let pieces = MessagePiece.pieces(of: text, emoticons: Self.emoticons)
        #expect(pieces.map(\.typed).joined() == text)
        #expect(
            pieces.allSatisfy { if case .link(let text, _) = $0 { text.utf8.count <= 2048 } else { true } })
    }

    @Test(arguments: Seeds.all)
    func noTextIsLost(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "http://", "tel:", "sip:", "xmpp:", ":)", ";-)", " ", "\n", "`", "```", "555", "-", "+", "(", ")",
            ".", "0100",
            "@", "é", "\u{1F604}", "\u{301}", "\u{200D}", "\u{202E}", "\r\n", "a", "/",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...40, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let pieces = MessagePiece.pieces(of: text, emoticons: Self.emoticons)
            #expect(pieces.map(\.typed).joined().utf8.elementsEqual(text.utf8))
            #expect(!pieces.contains { $0.typed.isEmpty })
        }
    }
}
