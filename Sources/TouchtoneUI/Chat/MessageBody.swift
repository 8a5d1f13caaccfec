// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// A message's text, or a part of it, as it is shown: emoticons as emoji, links marked, everything else as typed.
struct MessageBody {
    private let pieces: [Piece]
    /// The links, in their order.
    let links: [Link]

    /// A link: where it leads, and how it is written.
    struct Link: Hashable {
        let target: TextLink
        let text: String
    }

    /// A stretch of text, and what stands for it.
    private struct Piece {
        let shown: String
        let typed: String
        let link: Int?
    }

    /// - Parameter actor: who does what the text says (XEP-0245), in place of the word for that.
    init(_ typed: String, emoticons: Emoticons, actor: String? = nil) {
        var (pieces, links): ([Piece], [Link]) = ([], [])
        var typed = typed
        let isPlain = typed.utf8.allSatisfy { $0 < 0x80 }
        if let actor, typed.hasPrefix(Self.action) {
            pieces.append(Piece(shown: "\(actor) ", typed: Self.action, link: nil))
            typed = String(typed.dropFirst(Self.action.count))
        }
        for piece in MessagePiece.pieces(of: typed, emoticons: emoticons) {
            let typed = String(piece.typed)
            switch piece {
            case .text: pieces.append(Piece(shown: Self.visible(typed), typed: typed, link: nil))
            case .emoticon(_, let emoji): pieces.append(Piece(shown: emoji, typed: typed, link: nil))
            case .link(_, let target):
                // Numbers and addresses run from left to right, whatever is written around them.
                if !isPlain { pieces.append(Self.isolate) }
                pieces.append(Piece(shown: Self.visible(typed), typed: typed, link: links.count))
                if !isPlain { pieces.append(Self.isolateEnd) }
                links.append(Link(target: target, text: typed))
            }
        }
        (self.pieces, self.links) = (pieces, links)
    }

    /// How a text begins that says what its sender does (XEP-0245).
    static let action = "/me "

    private static let isolate = Piece(shown: "\u{2066}", typed: "", link: nil)
    private static let isolateEnd = Piece(shown: "\u{2069}", typed: "", link: nil)

    /// What is shown.
    var shown: String { pieces.filter { !$0.typed.isEmpty }.map(\.shown).joined() }

    /// What is shown, for a label of Pango's: the text is escaped, and a link's target is its number.
    var markup: String {
        pieces.map { piece in
            let text = Markup.escaped(piece.shown)
            return piece.link.map { "<a href=\"\($0)\">\(text)</a>" } ?? text
        }.joined()
    }

    /// Where in what a label shows the links begin, counted in characters of Unicode.
    var linkStarts: [Int] {
        var (starts, position): ([Int], Int) = ([], 0)
        for piece in pieces {
            if piece.link != nil { starts.append(position) }
            position += piece.shown.unicodeScalars.count
        }
        return starts
    }

    /// What was typed for a stretch of what is shown, counted in characters of Unicode.
    func typed(for range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        var position = 0
        for piece in pieces {
            let count = piece.shown.unicodeScalars.count
            let part = range.clamped(to: position..<(position + count))
            if !part.isEmpty {
                let isWhole = piece.shown != piece.typed
                let typed = piece.typed.unicodeScalars
                text += isWhole ? typed[...] : typed.dropFirst(part.lowerBound - position).prefix(part.count)
            }
            position += count
        }
        return String(text)
    }

    private static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0a || $0 == 0x7f || $0 == 0xc2 }) else {
            return text
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(PlainText.visible(scalar)) }
        return String(scalars)
    }
}
