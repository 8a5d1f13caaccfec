// SPDX-License-Identifier: GPL-3.0-or-later

/// Cuts a long message into parts that are laid out one by one: a text of 100,000 characters takes a tenth of a second.
enum LongText {
    /// The most that a part has.
    static let maximumScalars = 800
    static let maximumLines = 20

    /// Whether a text is long.
    static func isLong(_ text: String) -> Bool {
        end(of: text[...]) != text.endIndex
    }

    /// The first part.
    static func beginning(of text: String) -> Substring { text[..<end(of: text[...])] }

    /// All parts, in order: they make up the text.
    static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = end(of: rest)
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        return parts.isEmpty ? [text[...]] : parts
    }

    /// Where the part that a text begins with ends: after a line, or else between words, or else anywhere.
    private static func end(of text: Substring) -> String.Index {
        let scalars = text.unicodeScalars
        var (count, lines) = (0, 0)
        var (afterLine, afterWord): (String.Index?, String.Index?) = (nil, nil)
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            count += 1
            if scalar == "\n" {
                lines += 1
                afterLine = index
            } else if scalar == " " {
                afterWord = index
            }
            if lines == maximumLines || count == maximumScalars { break }
        }
        guard index < scalars.endIndex else { return text.endIndex }
        if lines == maximumLines { return afterLine ?? index }
        // A cut far up would leave a stump.
        let least = scalars.index(scalars.startIndex, offsetBy: maximumScalars / 2)
        return [afterLine, afterWord].compactMap { $0 }.first { $0 > least }
            ?? boundary(before: index, in: text)
    }

    /// The place between two characters at or before an index, if one is near: a character can be of any length.
    private static func boundary(before index: String.Index, in text: Substring) -> String.Index {
        let scalars = text.unicodeScalars
        let joiner: Unicode.Scalar = "\u{200d}"
        var near = index
        for _ in 0..<16 {
            let before = scalars.index(before: near)
            if !scalars[near].properties.isGraphemeExtend, scalars[near] != joiner, scalars[before] != joiner
            {
                return near
            }
            near = before
        }
        return index
    }
}
