// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The displayed text of a message or a part of it: emoticons as emoji, links marked, everything else as typed.
struct MessageBody {
    private let pieces: [Piece]
    /// The links, in the order of the text.
    let links: [Link]

    struct Link: Hashable {
        let target: TextLink
        let text: String
    }

    /// A piece of the text, as shown and as typed.
    private struct Piece {
        let shown, typed: String
        let link: Int?
    }

    /// - Parameter actor: The sender's name, which replaces the `/me` at the start of the text (XEP-0245).
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
                // Numbers and addresses are always written from left to right, regardless of the surrounding text.
                if !isPlain { pieces.append(Self.isolate) }
                pieces.append(Piece(shown: Self.visible(typed), typed: typed, link: links.count))
                if !isPlain { pieces.append(Self.isolateEnd) }
                links.append(Link(target: target, text: typed))
            }
        }
        (self.pieces, self.links) = (pieces, links)
    }

    /// The prefix of a text that describes an action of its sender (XEP-0245).
    static let action = "/me "

    private static let isolate = Piece(shown: "\u{2066}", typed: "", link: nil)
    private static let isolateEnd = Piece(shown: "\u{2069}", typed: "", link: nil)

    var shown: String { pieces.filter { !$0.typed.isEmpty }.map(\.shown).joined() }

    /// The displayed text as Pango markup: the text is escaped, and the target of a link is its index in `links`.
    var markup: String {
        pieces.map { piece in
            let text = Markup.escaped(piece.shown)
            return piece.link.map { "<a href=\"\($0)\">\(text)</a>" } ?? text
        }.joined()
    }

    /// The start of each link in the text of a label, counted in Unicode scalars.
    var linkStarts: [Int] {
        var (starts, position): ([Int], Int) = ([], 0)
        for piece in pieces {
            if piece.link != nil { starts.append(position) }
            position += piece.shown.unicodeScalars.count
        }
        return starts
    }

    /// Returns the typed text for a range of the displayed text, counted in Unicode scalars.
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
