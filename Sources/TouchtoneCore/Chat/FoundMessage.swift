// SPDX-License-Identifier: GPL-3.0-or-later

/// A message that a search has found, and the part of its text around the first word that was looked for.
public struct FoundMessage: Hashable, Sendable, Identifiable {
    /// A piece of a text, which is either what the search has found or what is around it.
    public struct Piece: Hashable, Sendable {
        public let text: String
        public let isHit: Bool
    }

    public let message: ChatMessage
    /// The part of the shown text, in one line.
    public let excerpt: [Piece]
    public var id: Int64 { message.id }

    /// The number of Unicode scalars before the first hit, in all of the excerpt, and of the text that is looked through.
    private static let (before, maximum, depth) = (24, 160, 20_000)

    /// Creates a result; nil if the words are only in what is not shown: a spoiler, or what a reply quotes.
    ///
    /// It takes time for a long text, and may be called on any thread.
    public init?(_ message: ChatMessage, _ words: SearchWords) {
        guard message.retraction == nil, message.content.spoiler == nil else { return nil }
        let shown = message.visibleText
        guard shown == message.text || words.areAll(in: shown) else { return nil }
        self.message = message
        excerpt = Self.excerpt(of: shown, words)
    }

    private static func excerpt(of text: String, _ words: SearchWords) -> [Piece] {
        let scalars = text[...].unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: depth, limitedBy: scalars.endIndex)
        let hit = words.first(in: scalars, from: scalars.startIndex, upTo: end ?? scalars.endIndex)
        let start = hit.map { beginning(before: $0.lowerBound, in: scalars) } ?? scalars.startIndex
        let line = PlainText.line(String(text[start...]), maximum: maximum)
        return pieces(of: (start == scalars.startIndex ? "" : "…") + line, words)
    }

    /// Returns where an excerpt begins: at the beginning of the text, or of a word not far before the hit.
    private static func beginning(
        before hit: String.Index, in text: Substring.UnicodeScalarView
    ) -> String.Index {
        var (start, space) = (hit, hit)
        for _ in 0..<before {
            guard start > text.startIndex else { return start }
            let next = text.index(before: start)
            if text[next].properties.isWhitespace { space = start }
            start = next
        }
        return start == text.startIndex ? start : space
    }

    /// Returns the pieces of a line of text.
    public static func pieces(of line: String, _ words: SearchWords) -> [Piece] {
        let scalars = line[...].unicodeScalars
        var (pieces, position): ([Piece], String.Index) = ([], scalars.startIndex)
        while let hit = words.first(in: scalars, from: position, upTo: scalars.endIndex) {
            if position < hit.lowerBound {
                pieces.append(Piece(text: String(line[position..<hit.lowerBound]), isHit: false))
            }
            pieces.append(Piece(text: String(line[hit]), isHit: true))
            position = hit.upperBound
            // The rest of a word of which the beginning was found is no word.
            let rest = words.rest(ofWordAt: position, in: scalars)
            if position < rest {
                pieces.append(Piece(text: String(line[position..<rest]), isHit: false))
                position = rest
            }
        }
        if position < scalars.endIndex {
            pieces.append(Piece(text: String(line[position...]), isHit: false))
        }
        return pieces
    }
}

extension Chat {
    /// Returns the messages that show the words, of one buddy or of all, the newest first; the last word matches as a prefix.
    public func search(_ words: String, of buddy: ChatAddress? = nil, count: Int = 50)
        async throws(StoreError) -> [FoundMessage]
    {
        try await store.search(words, of: buddy, count: count)
    }
}
