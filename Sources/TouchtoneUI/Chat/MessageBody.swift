// SPDX-License-Identifier: GPL-3.0-or-later

import GtkBridge
import TouchtoneCore

/// The displayed text of a message or a part of it: emoticons as emoji, links and styles marked, everything else as typed.
struct MessageBody {
    private let pieces: [Piece]
    /// The links, in the order of the text.
    let links: [Link]
    /// Whether the text is one to three emoji alone, and styled as such.
    let isFewEmoji: Bool

    struct Link: Hashable {
        let target: TextLink
        let text: String
    }

    /// A piece of the text, as shown and as typed.
    private struct Piece {
        let shown, typed: String
        var link: Int?
        var style: TextStyle = []
    }

    /// - Parameters:
    ///   - actor: The sender's name, which replaces the `/me` at the start of the text (XEP-0245).
    ///   - hasLinks: Whether links can be followed: not while a text changes under the pointer.
    ///   - styling: The block in which a text with styles (XEP-0393) begins; nil for a text without.
    init(
        _ typed: String, emoticons: Emoticons, actor: String? = nil, hasLinks: Bool = true,
        styling: TextBlock? = nil
    ) {
        var (pieces, links): ([Piece], [Link]) = ([], [])
        var typed = typed
        let isPlain = typed.utf8.allSatisfy { $0 < 0x80 }
        if let actor, typed.hasPrefix(Self.action) {
            pieces.append(Piece(shown: "\(actor) ", typed: Self.action))
            typed = String(typed.dropFirst(Self.action.count))
        }
        for styled in Self.pieces(of: typed, emoticons: emoticons, styling: styling) {
            let (typed, style) = (String(styled.piece.typed), styled.style)
            switch styled.piece {
            case .text: pieces.append(Piece(shown: Self.visible(typed), typed: typed, style: style))
            case .emoticon(_, let emoji): pieces.append(Piece(shown: emoji, typed: typed, style: style))
            case .link where !hasLinks:
                pieces.append(Piece(shown: Self.visible(typed), typed: typed, style: style))
            case .link(_, let target):
                // Numbers and addresses are always written from left to right, regardless of the surrounding text.
                if !isPlain { pieces.append(Self.isolate) }
                pieces.append(
                    Piece(
                        shown: target.place ?? Self.visible(typed), typed: typed, link: links.count,
                        style: style))
                if !isPlain { pieces.append(Self.isolateEnd) }
                links.append(Link(target: target, text: typed))
            }
        }
        (self.pieces, self.links) = (pieces, links)
        isFewEmoji = styling != nil && pieces.map(\.shown).joined().isFewEmoji
    }

    private static func pieces(
        of text: String, emoticons: Emoticons, styling: TextBlock?
    ) -> [StyledPiece] {
        guard var block = styling else {
            return MessagePiece.pieces(of: text, emoticons: emoticons).map { StyledPiece($0, []) }
        }
        return MessagePiece.styledPieces(of: text, emoticons: emoticons, block: &block)
    }

    /// The prefix of a text that describes an action of its sender (XEP-0245).
    static let action = "/me "

    private static let isolate = Piece(shown: "\u{2066}", typed: "")
    private static let isolateEnd = Piece(shown: "\u{2069}", typed: "")

    var shown: String { pieces.filter { !$0.typed.isEmpty }.map(\.shown).joined() }

    /// The displayed text as Pango markup: the text is escaped, and the target of a link is its index in `links`.
    var markup: String {
        pieces.map { piece in
            let text = Markup.escaped(piece.shown)
            let attributes = piece.style.attributes
            let styled = attributes.isEmpty ? text : "<span\(attributes)>\(text)</span>"
            return piece.link.map { "<a href=\"\($0)\">\(styled)</a>" } ?? styled
        }.joined()
    }

    /// The lines of quotations and blocks of code, with their ranges in the text of a label, counted in bytes.
    var blocks: [(range: Range<Int>, isCode: Bool)] {
        var (blocks, position): ([(range: Range<Int>, isCode: Bool)], Int) = ([], 0)
        for piece in pieces {
            let end = position + piece.shown.utf8.count
            if piece.style.contains(.quotation) { blocks.append((position..<end, false)) }
            if piece.style.contains(.codeBlock) { blocks.append((position..<end, true)) }
            position = end
        }
        return blocks
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

extension TextLink {
    /// The coordinates of a place, which stand for its address.
    fileprivate var place: String? {
        if case .place(let place) = self { "📍 \(place.coordinates)" } else { nil }
    }
}

extension TextStyle {
    /// The attributes of a piece of Pango markup.
    ///
    /// Marks are as pale as a contrast of 4.5:1 allows, and 7:1 in high contrast.
    fileprivate var attributes: String {
        let attributes: [(TextStyle, String)] = [
            (.strong, " weight=\"bold\""), (.emphasis, " style=\"italic\""),
            (.strike, " strikethrough=\"true\""), (.code, " font_family=\"monospace\""),
            (.mark, " alpha=\"80%\""),
        ]
        return attributes.filter { contains($0.0) }.map(\.1).joined()
    }
}
