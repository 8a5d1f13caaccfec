// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import TestSupport
import Testing

@testable import TouchtoneCore

/// Tests of the styles in a message’s text (XEP-0393).
@Suite struct StylingTests {
    /// Returns the pieces, and checks that they join to the text.
    private static func pieces(_ text: String, emoticons: Emoticons = .none) -> [StyledPiece] {
        var block = TextBlock()
        let pieces = MessagePiece.styledPieces(of: text, emoticons: emoticons, block: &block)
        #expect(pieces.map(\.piece.typed).joined().utf8.elementsEqual(text.utf8), "nothing is lost")
        #expect(!pieces.contains { $0.piece.typed.isEmpty })
        return pieces
    }

    /// Returns a text with the letters of its styles: `B` strong, `I` emphasis, `S` strike, `C` code, `P` a block of code,
    /// `Q` a quotation.
    private static func shown(_ text: String) -> String {
        var (shown, last): (String, TextStyle) = ("", [])
        for piece in pieces(text) {
            let style = piece.style.subtracting(.mark)
            if style != last {
                if last != [] { shown += "}" }
                if style != [] { shown += "{\(letters(style)):" }
            }
            last = style
            shown += piece.piece.typed
        }
        return last == [] ? shown : shown + "}"
    }

    private static func letters(_ style: TextStyle) -> String {
        let names: [(TextStyle, String)] = [
            (.quotation, "Q"), (.codeBlock, "P"), (.code, "C"), (.strong, "B"), (.emphasis, "I"),
            (.strike, "S"),
        ]
        return names.filter { style.contains($0.0) }.map(\.1).joined()
    }

    private static func marks(_ text: String) -> [String] {
        pieces(text).filter { $0.style.contains(.mark) }.map { String($0.piece.typed) }
    }

    // MARK: The examples of XEP-0393

    @Test(arguments: [
        ("plain span", "plain span"), ("*strong span*", "{B:*strong span*}"),
        ("plain _emphasis_ plain", "plain {I:_emphasis_} plain"),
        ("`pre` plain *strong*", "{C:`pre`} plain {B:*strong*}"), ("*strong*plain*", "{B:*strong*}plain*"),
        ("* plain *strong*", "* plain {B:*strong*}"), ("not strong*", "not strong*"),
        ("*not strong", "*not strong"), ("*not \n strong*", "*not \n strong*"),
        ("*not *strong", "*not *strong"), ("**", "**"), ("***", "***"), ("****", "****"),
        ("Two spans, both *alike in dignity*", "Two spans, both {B:*alike in dignity*}"),
        (
            "The full title is _Twelfth Night, or What You Will_ but\n_most_ people shorten it.",
            "The full title is {I:_Twelfth Night, or What You Will_} but\n{I:_most_} people shorten it."
        ),
        (
            "The full title is \"Twelfth Night, or What You Will\" but\n*most* people shorten it.",
            "The full title is \"Twelfth Night, or What You Will\" but\n{B:*most*} people shorten it."
        ),
        ("Everyone ~dis~likes cake.", "Everyone {S:~dis~}likes cake."),
        ("This is `monospace`", "This is {C:`monospace`}"),
        ("This is `*monospace*`", "This is {C:`*monospace*`}"),
        ("This is *`monospace and bold`*", "This is {B:*}{CB:`monospace and bold`}{B:*}"),
        ("Wow, I can write in `monospace`!", "Wow, I can write in {C:`monospace`}!"),
        (
            "There are three blocks in this body, one per line,\nbut there is no *formatting\nas spans* may not.",
            "There are three blocks in this body, one per line,\nbut there is no *formatting\nas spans* may not."
        ),
        (
            "```ignored\n(println \"Hello, world!\")\n```\n\nThis should show up",
            "{PC:```ignored\n(println \"Hello, world!\")\n```\n}\nThis should show up"
        ),
        (
            "> ```\n> (println \"Hello, world!\")\n\nThe entire blockquote",
            "{Q:> }{QPC:```\n}{Q:> }{QPC:(println \"Hello, world!\")\n}\nThe entire blockquote"
        ),
        (
            "> That that is, is.\n\nSaid the old hermit of Prague.",
            "{Q:> That that is, is.\n}\nSaid the old hermit of Prague."
        ),
        (
            ">> That that is, is.\n> Said the old hermit of Prague.\n\nWho?",
            "{Q:>> That that is, is.\n> Said the old hermit of Prague.\n}\nWho?"
        ),
        ("> _ <", "{Q:> _ <}"),
    ])
    func examplesOfStandardAreStyled(_ text: String, _ expected: String) {
        #expect(Self.shown(text) == expected)
    }

    @Test(arguments: [
        ("_a *b* c_", "{I:_a }{BI:*b*}{I: c_}"), ("*a _b* c_", "{B:*a _b*} c_"),
        ("*_~`a`~_*", "{B:*}{BI:_}{BIS:~}{CBIS:`a`}{BIS:~}{BI:_}{B:*}"),
        ("a*b*", "a*b*"), ("(*b*)", "(*b*)"), ("\u{3000}*b*", "\u{3000}{B:*b*}"), ("*b\u{A0}*", "*b\u{A0}*"),
        ("*\u{A0}b*", "*\u{A0}b*"), ("*é*", "{B:*é*}"), ("*a\u{301}*", "{B:*a\u{301}*}"), ("*b", "*b"),
        ("*", "*"), ("", ""),
        ("*a **", "{B:*a **}"), ("**a*", "**a*"), ("``` a", "{PC:``` a}"), ("x ```y```", "x ```y```"),
        ("```\n*a*\n``` \n```\nb", "{PC:```\n*a*\n``` \n```\n}b"), (" ```", " ```"), (" > a", " > a"),
        (">", "{Q:>}"), (">\n>a", "{Q:>\n>a}"), ("> *a*\nb", "{Q:> }{QB:*a*}{Q:\n}b"),
        ("> ```\na", "{Q:> }{QPC:```\n}a"),
        ("> ```\n>> a\n> ```\n> b", "{Q:> }{QPC:```\n}{Q:>}{QPC:> a\n}{Q:> }{QPC:```\n}{Q:> b}"),
        ("> > ```\n> a", "{Q:> > }{QPC:```\n}{Q:> a}"), (">\u{3000}```", "{Q:>\u{3000}}{QPC:```}"),
    ])
    func otherTextsAreStyled(_ text: String, _ expected: String) { #expect(Self.shown(text) == expected) }

    @Test(arguments: [
        ("*a* _b_ ~c~ `d`", ["*", "*", "_", "_", "~", "~", "`", "`"]), ("> > a\n>b", ["> ", "> ", ">"]),
        ("```swift\na\n```", ["```", "```"]), ("*a", []), ("`*a*`", ["`", "`"]),
    ])
    func marksAreKept(_ text: String, _ expected: [String]) { #expect(Self.marks(text) == expected) }

    // MARK: Links and emoticons

    @Test func wordsOfCodeAreText() throws {
        let emoticons = try Emoticons(Array("1F604 :)\n1F618 :*\n1F620 >:(\n".utf8))
        func words(_ text: String) -> [String] {
            Self.pieces(text, emoticons: emoticons).compactMap {
                if case .text = $0.piece { nil } else { String($0.piece.typed) }
            }
        }
        #expect(words("a :) http://a.example 555-0100") == [":)", "http://a.example", "555-0100"])
        #expect(words("` :) http://a.example 555-0100") == [":)", "http://a.example", "555-0100"])
        #expect(words("`a :) http://a.example 555-0100`") == [])
        #expect(words("```\n:) http://a.example 555-0100\n```\n:)") == [":)"])
        #expect(words("> :) *http://a.example*") == [":)", "http://a.example"])
        // What looks like a mark within a word is none.
        #expect(Self.shown("_see http://a.example/b_c d_") == "{I:_see http://a.example/b_c d_}")
        let kiss = Self.pieces("*a :* b*", emoticons: emoticons)
        #expect(kiss.map(\.style) == [[.strong, .mark], .strong, .strong, .strong, [.strong, .mark]])
        #expect(Self.pieces(">:( a", emoticons: emoticons).map(\.style) == [[], []])
    }

    // MARK: Parts

    @Test func blocksContinueInNextPart() {
        var block = TextBlock()
        func styles(_ text: String) -> [TextStyle] {
            MessagePiece.styledPieces(of: text, emoticons: .none, block: &block).map {
                $0.style.subtracting(.mark)
            }
        }
        #expect(
            styles("> ```\n> a\n") == [
                .quotation, [.quotation, .code, .codeBlock], [.quotation, .code, .codeBlock], .quotation,
                [.quotation, .code, .codeBlock],
            ])
        #expect(styles("> b") == [.quotation, [.quotation, .code, .codeBlock]])
        #expect(styles("> c\nd") == [[.quotation, .code, .codeBlock], []], "it continues the line")
        #expect(styles("> e") == [[]])
        #expect(styles("\n> e") == [[], .quotation, .quotation])
    }

    // MARK: Properties

    private static let parts = [
        "*", "_", "~", "`", "```", ">", "> ", " ", "\n", "a", "b", "é", "\u{301}", "\u{3000}", "😄", "**",
        "\n```\n", "*a*", "_b_ ",
    ]

    @Test(arguments: Seeds.all) func stylesAreThoseOfTheRules(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...24, using: &random))
                .map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            let styles = Self.pieces(text).flatMap { piece in
                piece.piece.typed.unicodeScalars.map { _ in piece.style }
            }
            #expect(styles == SlowStyling.styles(of: text), "\(text.debugDescription)")
        }
    }

    @Test(arguments: Seeds.all) func spansNeverCross(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let spans: [String: TextStyle] = ["*": .strong, "_": .emphasis, "~": .strike, "`": .code]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...24, using: &random))
                .map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            var open: [TextStyle] = []
            for piece in Self.pieces(text) where !piece.style.contains(.codeBlock) {
                let style = piece.style.subtracting([.quotation, .mark])
                if piece.style.contains(.mark), let mark = spans[String(piece.piece.typed)] {
                    if open.last == mark {
                        #expect(style == TextStyle(open))
                        open.removeLast()
                    } else {
                        open.append(mark)
                        #expect(style == TextStyle(open))
                    }
                } else {
                    #expect(style == TextStyle(open), "\(text.debugDescription)")
                    if piece.piece.typed.contains("\n") { #expect(open == []) }
                }
            }
            #expect(open == [])
        }
    }

    /// Texts for which a search from each mark would take hours.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "*", "_", "~", "`", ">", "> ", "*a ", "_a *b ", " *", "*a_ ", "*_", "*a* ", "`a ", "> *a ",
            "```\n", "> ```\n", "* a*", "~a _b `c *d ",
            "*😄 ",
        ])
    func workGrowsLinearlyWithText(_ part: String) {
        let text = String(repeating: part, count: 100_000 / part.utf8.count)
        #expect(Self.pieces(text).count <= text.utf8.count)
    }

    // MARK: Emoji

    @Test(arguments: [
        ("😄", true), ("😄😄😄", true), (" 😄 👍🏽\n❤️ ", true), ("👩‍👩‍👧‍👦🇩🇪1️⃣", true), ("😄😄😄😄", false), ("", false),
        (" ", false),
        ("a", false), ("1", false), ("😄.", false), ("©", false), ("😄\u{200B}", false),
    ])
    func fewEmojiAreKnown(_ text: String, _ expected: Bool) { #expect(text.isFewEmoji == expected) }

    @Test func emojiWithManyMarksIsNotLarge() {
        #expect(!("😄" + String(repeating: "\u{301}", count: 1000)).isFewEmoji)
        #expect(!String(repeating: " ", count: 1000).isFewEmoji)
    }
}

/// The rules of XEP-0393, word for word and without regard to time.
private enum SlowStyling {
    static func styles(of text: String) -> [TextStyle] {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Array($0) }
        var styles: [[TextStyle]] = lines.map { Array(repeating: [], count: $0.count) }
        var ends: [TextStyle] = Array(repeating: [], count: lines.count)
        readBlocks(lines.map { $0[...] }, 0, [], &styles, &ends)
        return Array(zip(styles, ends).flatMap { $0 + [$1] }.dropLast())
    }

    /// Reads the blocks of a body or of a quotation; `first` is the number of its first line in the text.
    private static func readBlocks(
        _ lines: [ArraySlice<Unicode.Scalar>], _ first: Int, _ outer: TextStyle,
        _ styles: inout [[TextStyle]], _ ends: inout [TextStyle]
    ) {
        var index = 0
        while index < lines.count {
            let line = lines[index]
            ends[first + index] = outer
            if line.starts(with: "```".unicodeScalars) {
                let style = outer.union([.code, .codeBlock])
                let closing = lines[(index + 1)...].firstIndex { $0.elementsEqual("```".unicodeScalars) }
                for number in index...(closing ?? lines.count - 1) {
                    for place in lines[number].indices { styles[first + number][place] = style }
                    ends[first + number] = style
                }
                for place in line.indices.prefix(3) { styles[first + index][place] = style.union(.mark) }
                if let closing {
                    for place in lines[closing].indices {
                        styles[first + closing][place] = style.union(.mark)
                    }
                }
                index = (closing ?? lines.count - 1) + 1
            } else if line.first == ">" {
                let end = lines[index...].firstIndex { $0.first != ">" } ?? lines.count
                let inner = lines[index..<end].map { line in
                    line.dropFirst(line.dropFirst().first?.properties.isWhitespace == true ? 2 : 1)
                }
                for number in index..<end {
                    for place in lines[number].startIndex..<inner[number - index].startIndex {
                        styles[first + number][place] = [.quotation, .mark]
                    }
                }
                readBlocks(inner, first + index, .quotation, &styles, &ends)
                index = end
            } else {
                readSpans(line, outer, &styles[first + index])
                index += 1
            }
        }
    }

    private static func readSpans(
        _ line: ArraySlice<Unicode.Scalar>, _ outer: TextStyle, _ styles: inout [TextStyle]
    ) {
        let spans: [Unicode.Scalar: TextStyle] = ["*": .strong, "_": .emphasis, "~": .strike, "`": .code]
        for place in line.indices { styles[place] = outer }
        var index = line.startIndex
        while index < line.endIndex {
            let mark = line[index]
            guard let span = spans[mark],
                index == line.startIndex || line[index - 1].properties.isWhitespace,
                index + 1 < line.endIndex, !line[index + 1].properties.isWhitespace,
                let closing = line[(index + 1)...].indices.first(where: {
                    line[$0] == mark && !line[$0 - 1].properties.isWhitespace
                })
            else {
                index += 1
                continue
            }
            if closing > index + 1 {
                let style = outer.union(span)
                if span == .code {
                    for place in index..<closing { styles[place] = style }
                } else {
                    readSpans(line[(index + 1)..<closing], style, &styles)
                }
                for place in [index, closing] { styles[place] = style.union(.mark) }
            }
            index = closing + 1
        }
    }
}
