// SPDX-License-Identifier: GPL-3.0-or-later

/// The words of a search in messages: whole words, and the beginning of a word, which is the last one.
public struct SearchWords: Sendable {
    private let whole: Set<[UInt8]>
    private let last: [UInt8]
    private let all: [[UInt8]]
    private let folding: LetterFolding

    /// The number of characters of a search that are read, and of a word in which it is looked for, in Unicode scalars.
    private static let (maximum, maximumWord) = (200, 100)

    public init(_ text: String, by folding: LetterFolding = .simple) {
        all = SearchText.words(String(text.prefix(Self.maximum)), by: folding)
        self.folding = folding
        whole = Set(all.dropLast())
        last = all.last ?? []
    }

    /// Returns whether each of the words, or a word that begins with it, is in a text.
    func areAll(in text: String) -> Bool {
        let shown = SearchText.words(text, by: folding)
        return all.allSatisfy { word in shown.contains { $0.starts(with: word) } }
    }

    /// Returns the first range of a text that a search finds, at or after an index; nil if there is none.
    ///
    /// - Parameter end: The index up to which words begin.
    func first(
        in text: Substring.UnicodeScalarView, from start: String.Index, upTo end: String.Index
    ) -> Range<String.Index>? {
        var index = start
        while index < end {
            guard Self.isInWord(text[index]) else {
                index = text.index(after: index)
                continue
            }
            let rest = text[index...]
            let word = rest.prefix { Self.isInWord($0) }
            if let length = match(word) { return index..<rest.index(index, offsetBy: length) }
            index = word.endIndex
        }
        return nil
    }

    /// Returns the number of Unicode scalars at the beginning of a word that a search finds; nil if it does not.
    private func match(_ word: Substring.UnicodeScalarView) -> Int? {
        let word = word.prefix(Self.maximumWord)
        guard let folded = folded(word) else { return nil }
        if whole.contains(folded) { return word.count }
        guard !last.isEmpty, folded.starts(with: last) else { return nil }
        // Folding may turn one letter into several, and an accent into none.
        var end = word.startIndex
        while end < word.endIndex {
            end = word.index(after: end)
            if self.folded(word[..<end])?.starts(with: last) == true { break }
        }
        while end < word.endIndex, word[end].properties.generalCategory == .nonspacingMark {
            end = word.index(after: end)
        }
        return word.distance(from: word.startIndex, to: end)
    }

    /// Returns the end of the word that an index is in.
    func rest(ofWordAt index: String.Index, in text: Substring.UnicodeScalarView) -> String.Index {
        text[index...].prefix { Self.isInWord($0) }.endIndex
    }

    private func folded(_ word: Substring.UnicodeScalarView) -> [UInt8]? {
        SearchText.words(String(word), by: folding).first
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return SearchText.isLetterOrDigit(scalar) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .uppercaseLetter, .lowercaseLetter,
            .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            return true
        default: return false
        }
    }
}
