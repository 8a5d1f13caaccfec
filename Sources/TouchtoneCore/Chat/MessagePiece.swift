// SPDX-License-Identifier: GPL-3.0-or-later

/// A part of a message’s text, for display.
public enum MessagePiece: Hashable, Sendable {
    case text(Substring)
    /// An emoticon, shown as an emoji.
    case emoticon(Substring, emoji: String)
    /// A link, shown as written.
    case link(Substring, TextLink)

    public var typed: Substring {
        switch self {
        case .text(let text), .emoticon(let text, _), .link(let text, _): text
        }
    }

    /// Splits a text, in linear time, into pieces that join to the same text.
    ///
    /// An emoticon is a word, perhaps with punctuation marks after it, and outside code.
    public static func pieces(of text: String, emoticons: Emoticons) -> [MessagePiece] {
        var block = TextBlock()
        let reader = PieceReader(text, emoticons, block: &block)
        return reader.pieces { token, style in !token.isEmoticon || !style.contains(.code) }
    }

    /// Splits a text, in linear time, into pieces with a style (XEP-0393), which join to the same text.
    ///
    /// Emoticons and links are outside code, and what looks like a styling mark within them is none.
    ///
    /// - Parameter block: The block that continues from the text before; then the one that continues after this text.
    public static func styledPieces(
        of text: String, emoticons: Emoticons, block: inout TextBlock
    ) -> [StyledPiece] {
        PieceReader(text, emoticons, block: &block).styledPieces { _, style in !style.contains(.code) }
    }
}

/// A text with its words and its styles.
private struct PieceReader {
    private let text: String
    private let tokens: [MessageToken]
    private let runs: [StylingParser.Run]

    init(_ text: String, _ emoticons: Emoticons, block: inout TextBlock) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        let bytes = TextBytes(text)
        tokens = MessageTokenizer.tokens(in: bytes, emoticons)
        runs = StylingParser.runs(in: bytes, words: tokens.map(\.range), block: &block)
    }

    func pieces(_ keeps: (MessageToken, TextStyle) -> Bool) -> [MessagePiece] {
        let kept = tokens(keeps).flatMap(\.self)
        let whole = StylingParser.Run(range: 0..<text.utf8.count, style: [])
        return pieces(of: whole, with: kept).map(\.piece)
    }

    func styledPieces(_ keeps: (MessageToken, TextStyle) -> Bool) -> [StyledPiece] {
        zip(runs, tokens(keeps)).flatMap { pieces(of: $0, with: $1) }
    }

    /// Returns the tokens of each run; no token goes on into the next one.
    private func tokens(_ keeps: (MessageToken, TextStyle) -> Bool) -> [[MessageToken]] {
        var next = 0
        return runs.map { run in
            var kept: [MessageToken] = []
            while next < tokens.count, tokens[next].range.lowerBound < run.range.upperBound {
                let token = tokens[next]
                if token.range.upperBound <= run.range.upperBound, keeps(token, run.style) {
                    kept.append(token)
                }
                next += 1
            }
            return kept
        }
    }

    private func pieces(of run: StylingParser.Run, with tokens: [MessageToken]) -> [StyledPiece] {
        var pieces: [StyledPiece] = []
        var done = run.range.lowerBound
        for token in tokens {
            if done < token.range.lowerBound {
                pieces.append(StyledPiece(.text(typed(done..<token.range.lowerBound)), run.style))
            }
            pieces.append(StyledPiece(token.piece(typed(token.range)), run.style))
            done = token.range.upperBound
        }
        if done < run.range.upperBound {
            pieces.append(StyledPiece(.text(typed(done..<run.range.upperBound)), run.style))
        }
        return pieces
    }

    private func typed(_ range: Range<Int>) -> Substring {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return text[start..<utf8.index(start, offsetBy: range.count)]
    }
}
